// Physically based: what falls on a surface leaves it by its numbers for colour, metal and roughness. The lights' colours come as
// light; the result is what is displayed. METALS: some instance is of metal; GRAZING: what is not mirrors too,
// most where it is seen at an angle. ENVIRONMENT: mirrors show the sky itself, else its colours from above and below.
#include "tone.glsl"

#if ENVIRONMENT
uniform samplerCube u_sky;
const float SKY_LEVELS = 6.0;  // of its mipmaps; those of the roughest surfaces are what is left of it
#endif

// Light that every place gets from around, however dark the lights of the model leave it.
const vec3 FILL = vec3(0.058, 0.06, 0.063);

// The surroundings as seen in a direction, blurred as a surface shows them; gloss: see geom.vert.
vec3 surroundings(vec3 direction, vec4 gloss) {
#if ENVIRONMENT
    return to_light(textureLod(u_sky, vec3(direction.x, direction.z, -direction.y), gloss.x * SKY_LEVELS).rgb);
#else
    return mix(u_below.rgb, u_above.rgb, clamp(0.5 + direction.z * gloss.w, 0.0, 1.0));
#endif
}

#if METALS
#define MIRRORED_LIGHT vec3
#else
#define MIRRORED_LIGHT float
#endif

// open: how much of what is around reaches the place. gloss: roughness, and numbers that follow from it.
vec3 illuminate(vec3 rgb, vec3 texel, vec4 material, float metal, vec4 gloss, vec3 world, vec3 normal, float open) {
    vec3 base = to_light(rgb * texel);
    vec3 eye = view_direction(world);
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
        // The middle of both directions has no unit length here: its square divides instead, and half of it is along the light.
        vec3 middle = toward + eye;
        float square = max(dot(middle, middle), 1e-4), across = dot(normal, middle);
        float d = across * across * gloss.y + 1.00001 * square;
        diffuse += light.diffuse.rgb * lit;
        specular += light.specular.rgb * (lit * gloss.z * square * square / (d * d * max(0.25 * square, 0.1)));
    }
    ambient *= mix(u_from_below.rgb, u_from_above.rgb, 0.5 + 0.5 * normal.z);
#if METALS
    vec3 mirror = mix(vec3(0.08 * material.y), base, metal);  // what is mirrored at normal incidence
    base *= 1.0 - metal;
#else
    float mirror = 0.08 * material.y;
#endif
    vec3 light = base * (ambient * open + diffuse + material.x) + specular * mirror;
#if METALS || GRAZING
    // More is mirrored at an angle. What is matte straight on is so there too: models say of most things half of all gloss without
    // meaning it.
    float facing = dot(normal, eye), grazing = 1.0 - abs(facing), twice = grazing * grazing;
    MIRRORED_LIGHT most = max(MIRRORED_LIGHT(1.0 - gloss.x), mirror) * min(12.5 * mirror, MIRRORED_LIGHT(1.0));
    MIRRORED_LIGHT share = mirror + max(most - mirror, MIRRORED_LIGHT(0.0)) * (twice * twice * grazing);
    light += surroundings(2.0 * facing * normal - eye, gloss) * (share * open);
#else
    light += u_above.rgb * (mirror * open);  // as bright in the mean
#endif
    return to_display(tone_map(light));
}
