// TEXTURE: 0 none, 1 flat, 2 cube. FLOOR: 0 none, 1 infinite, 2 finite. MIRRORED: this is the mirror's picture.
// REFLECTIVE: the instance is the mirror itself. LAYERS: bits for opacity, emissive and occlusion textures.
// SKIN, SOFT: it may lack normals. HEAT: parts of a flex have colours of their own. FOG: distance fades everything. GLOWS: some instance is selected.
// OCCLUDED: there is a picture of how open places are. CLASSIC: as the reference draws. DECODED: the texture comes as light.
#include "frame.glsl"
#include "lighting.glsl"

in vec3 v_world;
in vec3 v_normal;
in vec3 v_place;
flat in vec4 v_rgba;
flat in vec4 v_material;
#if !CLASSIC
flat in float v_metal;
flat in vec4 v_gloss;
#endif
flat in float v_glow;
in vec2 v_edge;

#if HEAT
uniform sampler2D u_heat;  // a colour for each triangle, or each rod
#if SOFT == 2
flat in int v_part;
#endif
#endif

out vec4 f_color;

#if TEXTURE == 1
uniform sampler2D u_texture2d;
#elif TEXTURE == 2
uniform samplerCube u_texturecube;
#endif
#if REFLECTIVE
uniform sampler2D u_reflection;
#endif
#if OCCLUDED
uniform sampler2D u_open;
#endif
#if (LAYERS & 1) != 0
uniform sampler2D u_opacity;
#endif
#if (LAYERS & 2) != 0
uniform sampler2D u_emissive;
#endif
#if (LAYERS & 4) != 0
uniform sampler2D u_occlusion;
#endif

void main() {
#if MIRRORED
    float height = dot(u_mirror, vec4(v_world, 1.0));
    if (height < 0.0) discard;
#endif
    vec3 base = v_rgba.rgb;
    vec4 texel = vec4(1.0);
#if TEXTURE == 1
    texel = texture(u_texture2d, v_place.xy);
#elif TEXTURE == 2
    texel = texture(u_texturecube, v_place);
#endif
#if HEAT
#if SOFT == 2
    int part = v_part;
#else
    int part = gl_PrimitiveID;
#endif
    base = texelFetch(u_heat, ivec2(part % 1024, part / 1024), 0).rgb;
    texel.rgb = vec3(1.0);
#endif
#if (LAYERS & 1) != 0
    // A cut-out: where half of it or more is open, it is not there.
    if (texture(u_opacity, v_place.xy).r < 0.5) discard;
#endif
    float open = 1.0;
#if (LAYERS & 4) != 0
    open = texture(u_occlusion, v_place.xy).r;
#endif
#if OCCLUDED
    open *= texture(u_open, gl_FragCoord.xy * u_viewport.xy - u_viewport.zw).r;
#endif
#if SKIN || SOFT
    // Where a front and a back share their vertices, these have no normal: the triangle's, toward the eye.
    vec3 face = cross(dFdx(v_world), dFdy(v_world));
    vec3 normal = normalize(dot(v_normal, v_normal) > 1e-6 ? v_normal : face);
#else
    vec3 normal = normalize(v_normal);
#endif
#if CLASSIC
    vec3 color = illuminate(base, texel.rgb, v_material, v_world, normal, open);
#else
#if DECODED
    texel.rgb = to_display(texel.rgb);
#endif
    vec3 color = illuminate(base, texel.rgb, v_material, v_metal, v_gloss, v_world, normal, open);
#endif
#if (LAYERS & 2) != 0
    color += texture(u_emissive, v_place.xy).rgb;
#endif
#if GLOWS
    float rim = 1.0 - abs(dot(normal, view_direction(v_world)));
    color += v_glow * (base * texel.rgb + vec3(1.0, 0.75, 0.3) * rim * rim * 2.5);
#endif
#if REFLECTIVE && CLASSIC
    color += texture(u_reflection, gl_FragCoord.xy * u_viewport.xy - u_viewport.zw).rgb * min(v_material.w, 1.0);
#elif REFLECTIVE
    // A gloss lies over the floor's own colour: strong on dark tiles, faint on bright ones.
    vec4 image = texture(u_reflection, gl_FragCoord.xy * u_viewport.xy - u_viewport.zw);
    float gloss = min(v_material.w, 1.0) * 0.8;
    color = color * (1.0 - 0.5 * gloss * image.a) + image.rgb * gloss;
#endif
#if FLOOR == 1 || FOG
    float distance = length(u_eye.xyz - v_world);
#endif
#if FLOOR == 1 && CLASSIC
    // It ends at the horizon of the reference, where the haze is thickest.
    float away = length(u_eye.xy - v_world.xy);
    if (away > u_range.w) discard;
    color = mix(color, u_haze.rgb, u_haze.w * clamp((away - u_range.z) / max(u_range.w - u_range.z, 1e-6), 0.0, 1.0));
#elif FLOOR == 1
    color = mix(color, u_haze.rgb, smoothstep(u_range.z, u_range.w, distance));
#elif FLOOR == 2 && !CLASSIC
    color = mix(color, u_haze.rgb, smoothstep(0.4, 1.0, max(abs(v_edge.x), abs(v_edge.y))));
#endif
#if FOG
    color = mix(color, u_fog.rgb, clamp((distance - u_range.x) / max(u_range.y - u_range.x, 1e-6), 0.0, 1.0));
#endif
#if MIRRORED
    // Premultiplied; fading with height: a polished floor, not a mirror.
#if CLASSIC
    float fade = 1.0;
#else
    float fade = 1.0 / (1.0 + height * height / (u_shadow_info.w * u_shadow_info.w));
#endif
    f_color = vec4(color, 1.0) * fade;
#else
    f_color = vec4(color, v_rgba.a * texel.a);
#endif
}
