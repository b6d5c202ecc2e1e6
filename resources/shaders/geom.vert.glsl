#include "frame.glsl"
#include "instance.glsl"
#if !CLASSIC
#include "tone.glsl"
#endif

in vec4 i_rgba;
in vec4 i_material;  // emission, specular, shininess (an exponent), reflectance
in vec4 i_tex;       // flat textures: scale and offset of the texture coordinate; cubes: xyz, scale of the direction
in vec4 i_gloss;     // roughness; numbers of its lobe and its height; how sharply it shows the horizon
in vec4 i_extra;     // x: texture mode (TexMode), y: glow, z: 1 when a finite floor's edge fades, w: metal

out vec3 v_world;
out vec3 v_normal;
out vec3 v_place;    // texture coordinate (xy), or direction into a cube
#if SHADOW_TAPS > 0
out vec4 v_shadow[SHADOW_MAPS];  // where in each map of shadows; linear, so interpolated exactly
#endif
flat out vec4 v_rgba;
flat out vec4 v_material;
#if !CLASSIC
flat out float v_metal;
flat out vec4 v_gloss;
#endif
flat out float v_glow;
#if HEAT && SOFT == 2
flat out int v_part; // which rod or ball of the flex
#endif
out vec2 v_edge;     // where on a finite floor, -1 to 1; 0 where nothing fades

void main() {
    vec3 local;
    place(local, v_world, v_normal);
#if SHADOW_TAPS > 0
    // A step along the normal keeps a surface out of its own shadow.
    vec3 outward = v_normal / max(length(v_normal), 1e-6);
    for (int k = 0; k < SHADOW_MAPS; k++)
        v_shadow[k] = u_shadow_matrix[k] * vec4(v_world + outward * u_shadow_map[k].z, 1.0);
#endif
    v_rgba = i_rgba;
    v_material = i_material;
#if !CLASSIC
    v_metal = i_extra.w;
    v_gloss = i_gloss;
    v_material.x = to_light(i_material.xxx).x;
#endif
    v_glow = i_extra.y;
#if HEAT && SOFT == 2
    v_part = gl_InstanceID;
#endif
    v_edge = in_position.xy * i_extra.z;
    if (i_extra.x < 1.5) v_place = vec3(local.x * i_tex.x + i_tex.z, i_tex.w - local.y * i_tex.y, 0.0);
    else if (i_extra.x < 2.5) v_place = vec3(in_uv, 0.0);
    else if (i_extra.x < 3.5) v_place = local * i_tex.xyz;
    else v_place = in_position.xyz + vec3(0.0, 0.0, in_position.w);
    gl_Position = u_view_projection * vec4(v_world, 1.0);
}
