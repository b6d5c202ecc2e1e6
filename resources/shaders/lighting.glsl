// The lights of the frame; LIGHTS: how many, POSITIONAL: bit i set when light i has a place.
#include "shadows.glsl"

// x to a large power n: (1 + (x - 1) n / 8)^8 has the same slope and curvature at 1 and costs no logarithm.
float lobe(float x, float n) {
    float y = max(1.0 + (x - 1.0) * n * 0.125, 0.0);
    y *= y;
    y *= y;
    return y * y;
}

// How much of a lamp's light goes in a direction of this cosine with its axis: the edge of its cone is sharp in the classic look.
float in_cone(Light light, float cosine) {
    if (light.direction.w < -1.0) return 1.0;
#if CLASSIC
    return cosine >= light.direction.w ? pow(max(cosine, 0.0), light.attenuation.w) : 0.0;
#else
    float edge = smoothstep(light.direction.w, light.direction.w + 0.04 * (1.001 - light.direction.w), cosine);
    return edge * lobe(cosine, light.attenuation.w);
#endif
}

// How strongly a light arrives at a place, and the unit direction from there to it.
float arriving(Light light, bool positional, vec3 world, out vec3 toward) {
    toward = -light.direction.xyz;
    if (!positional) return 1.0;
    vec3 offset = light.position.xyz - world;
    float distance = length(offset);
    toward = offset / distance;
    vec3 a = light.attenuation.xyz;
    return in_cone(light, dot(-toward, light.direction.xyz)) / (a.x + distance * (a.y + distance * a.z));
}

#if CLASSIC
#include "classic.glsl"
#else
#include "physical.glsl"
#endif
