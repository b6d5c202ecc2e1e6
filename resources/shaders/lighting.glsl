// Blinn-Phong over the lights of the frame; LIGHTS: how many, POSITIONAL: bit i set when light i has a place.
// SHADOW_TAPS: 0 for no shadow, else how many bilinear comparisons make the first light's soft edge.
#if SHADOW_TAPS > 0
uniform sampler2DShadow u_shadow;
in vec4 v_shadow;

float visibility() {
#if (POSITIONAL & 1) != 0
    if (v_shadow.w <= 0.0) return 1.0;
    vec3 q = v_shadow.xyz / v_shadow.w;
#else
    vec3 q = v_shadow.xyz;
#endif
    // What lies beyond the last caster is as deep as the cleared map: in shadow where a caster is, lit elsewhere.
    q.z = min(q.z, 1.0);
    vec2 side = abs(q.xy - 0.5);
    if (max(side.x, side.y) > 0.5) return 1.0;
#if SHADOW_TAPS == 1
    return texture(u_shadow, q);
#elif SHADOW_TAPS == 4
    float t = u_shadow_info.x;
    return 0.25 * (texture(u_shadow, q + vec3(0.9 * t, 0.4 * t, 0.0)) + texture(u_shadow, q + vec3(-0.4 * t, 0.9 * t, 0.0))
                 + texture(u_shadow, q + vec3(-0.9 * t, -0.4 * t, 0.0)) + texture(u_shadow, q + vec3(0.4 * t, -0.9 * t, 0.0)));
#else
    float t = u_shadow_info.x;
    float sum = 0.0;
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++)
            sum += texture(u_shadow, q + vec3(1.3 * t * float(x), 1.3 * t * float(y), 0.0));
    return sum / 9.0;
#endif
}
#endif

// Light that the sky scatters into every scene, however dark its own lights leave it.
const vec3 FILL = vec3(0.11, 0.115, 0.125);

// x to a large power n: (1 + (x - 1) n / 8)^8 has the same slope and curvature at 1 and costs no logarithm.
float lobe(float x, float n) {
    float y = max(1.0 + (x - 1.0) * n * 0.125, 0.0);
    y *= y;
    y *= y;
    return y * y;
}

// open: how much of the ambient light reaches the place.
vec3 illuminate(vec3 base, vec4 material, vec3 world, vec3 normal, float open) {
    vec3 eye = view_direction(world);
    vec3 ambient = FILL, diffuse = vec3(0.0), specular = vec3(0.0);
    // The sky lights from above, the ground little from below: form shows even where no light reaches.
    float sky = 0.8 + 0.4 * normal.z;
    for (int i = 0; i < LIGHTS; i++) {
        Light light = u_lights[i];
        vec3 toward = -light.direction.xyz;
        float strength = 1.0;
        if (((POSITIONAL >> i) & 1) != 0) {
            vec3 offset = light.position.xyz - world;
            float distance = length(offset);
            toward = offset / distance;
            vec3 a = light.attenuation.xyz;
            strength = 1.0 / (a.x + distance * (a.y + distance * a.z));
            float cosine = dot(-toward, light.direction.xyz);
            if (light.direction.w >= -1.0) {
                float edge = smoothstep(light.direction.w, light.direction.w + 0.04 * (1.001 - light.direction.w), cosine);
                strength *= edge * lobe(cosine, light.attenuation.w);
            }
        }
        ambient += light.ambient.rgb * min(strength * 4.0, 1.0);
        float incidence = dot(normal, toward);
        float lit = max(incidence, 0.0) * strength;
        float shine = incidence > 0.0 ? lobe(dot(normal, normalize(toward + eye)), material.z) * strength : 0.0;
#if SHADOW_TAPS > 0
        if (i == 0) {
            float seen = mix(1.0, visibility(), u_shadow_info.z);
            lit *= seen;
            shine *= seen;
        }
#endif
        diffuse += light.diffuse.rgb * lit;
        specular += light.specular.rgb * shine;
    }
    return base * (ambient * sky * open + diffuse + material.x) + specular * material.y;
}

// Highlights roll off instead of burning out: the identity up to 0.8, then towards 1.
vec3 soft_clip(vec3 color) {
    vec3 over = max(color - 0.8, 0.0) * 5.0;
    return min(color, 0.8) + 0.2 * over / (1.0 + over);
}
