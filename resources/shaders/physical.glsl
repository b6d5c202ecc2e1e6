// Physically based: what falls on a surface leaves it by its numbers for colour, metal and roughness. The lights' colours come as
// light; the result is what is displayed. ENVIRONMENT: mirrors show the sky itself, else its colours from above and below.
#include "tone.glsl"

#if ENVIRONMENT
uniform samplerCube u_sky;
const float SKY_LEVELS = 6.0;  // of its mipmaps; those of the roughest surfaces are what is left of it
#endif

// Light that every place gets from around, however dark the lights of the model leave it.
const vec3 FILL = vec3(0.058, 0.06, 0.063);

// The surroundings as seen in a direction, blurred as a surface of this roughness shows them.
vec3 surroundings(vec3 direction, float roughness) {
#if ENVIRONMENT
    return to_light(textureLod(u_sky, vec3(direction.x, direction.z, -direction.y), roughness * SKY_LEVELS).rgb);
#else
    float blur = 0.1 + 0.9 * roughness;
    return mix(u_below.rgb, u_above.rgb, smoothstep(-blur, blur, direction.z));
#endif
}

// open: how much of what is around reaches the place. surface: metal, roughness.
vec3 illuminate(vec3 rgb, vec3 texel, vec4 material, vec2 surface, vec3 world, vec3 normal, float open) {
    vec3 base = to_light(rgb * texel);
    vec3 eye = view_direction(world);
    vec3 mirror = mix(vec3(0.08 * material.y), base, surface.x);  // what is mirrored at normal incidence
    float facing = abs(dot(normal, eye));
    float alpha = surface.y * surface.y, a2 = alpha * alpha;
    vec3 ambient = FILL, diffuse = vec3(0.0), specular = vec3(0.0);
    for (int i = 0; i < LIGHTS; i++) {
        Light light = u_lights[i];
        vec3 toward;
        float strength = arriving(light, ((POSITIONAL >> i) & 1) != 0, world, toward);
        ambient += light.ambient.rgb * min(strength * 4.0, 1.0);
        float lit = max(dot(normal, toward), 0.0) * strength;
#if SHADOW_TAPS > 0
        if (MAPS(i) > 0) lit *= visibility(FIRST(i), MAPS(i), ((POSITIONAL >> i) & 1) != 0);
#endif
        // Normal distribution GGX; visibility and Fresnel's term in Karis' and Lazarov's approximation, which needs no square root.
        vec3 middle = normalize(toward + eye);
        float across = dot(normal, middle), along = dot(toward, middle);
        float d = across * across * (a2 - 1.0) + 1.00001;
        float shine = a2 / (d * d * max(along * along, 0.1) * (4.0 * alpha + 2.0));
        diffuse += light.diffuse.rgb * lit;
        specular += light.specular.rgb * (lit * shine);
    }
    ambient *= mix(u_from_below.rgb, u_from_above.rgb, 0.5 + 0.5 * normal.z);
    float grazing = 1.0 - facing;
    grazing *= grazing * grazing * grazing * grazing;
    // What is matte straight on is so at an angle: models say of most things half of all gloss without meaning it.
    vec3 most = max(vec3(1.0 - surface.y), mirror) * min(12.5 * mirror, 1.0);
    vec3 around = surroundings(reflect(-eye, normal), surface.y) * mix(mirror, max(most, mirror), grazing);
    vec3 light = base * ((1.0 - surface.x) * (ambient * open + diffuse) + material.x) + specular * mirror + around * open;
    return to_display(tone_map(light));
}
