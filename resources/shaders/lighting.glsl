// Blinn-Phong over the lights of the frame; LIGHTS: how many, POSITIONAL: bit i set when light i has a place.
// CLASSIC: by the rules of the fixed-function pipeline, as the reference draws; they are told in docs/decisions/picture.md.
// SHADOW_TAPS: 0 for no shadow, else how many bilinear comparisons make its soft edge. SHADOW_MAPS: how many there are, in the
// order of their lights, the finer first; SHADOW_COUNTS: of each light, two bits.
#if SHADOW_TAPS > 0
uniform sampler2DShadow u_shadow;
in vec4 v_shadow[SHADOW_MAPS];

float sampled(vec3 q, vec2 corner) {
    float t = u_shadow_info.x;
    // What lies beyond the last caster is as deep as the cleared map: in shadow where a caster is, lit elsewhere.
    q = vec3(corner + q.xy * u_shadow_info.y, min(q.z, 1.0));
#if SHADOW_TAPS == 1
    return texture(u_shadow, q);
#elif SHADOW_TAPS == 4
    return 0.25 * (texture(u_shadow, q + vec3(0.9 * t, 0.4 * t, 0.0)) + texture(u_shadow, q + vec3(-0.4 * t, 0.9 * t, 0.0))
                 + texture(u_shadow, q + vec3(-0.9 * t, -0.4 * t, 0.0)) + texture(u_shadow, q + vec3(0.4 * t, -0.9 * t, 0.0)));
#else
    float sum = 0.0;
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++)
            sum += texture(u_shadow, q + vec3(1.3 * t * float(x), 1.3 * t * float(y), 0.0));
    return sum / 9.0;
#endif
}

vec3 in_map(vec4 place, bool positional) {
    return positional ? place.w > 0.0 ? place.xyz / place.w : vec3(9.0) : place.xyz;
}

bool held(vec3 q) {
    // Within a map's last texels lies what belongs to its neighbours in the texture.
    float rim = 0.5 - 2.0 * u_shadow_info.x / u_shadow_info.y;
    return max(abs(q.x - 0.5), abs(q.y - 0.5)) < rim;
}

// How much of a light with `count` maps, the first of them `first`, reaches this place: by the finest map that holds it.
float visibility(const int first, const int count, const bool positional) {
    vec3 q = in_map(v_shadow[first], positional);
    vec2 corner = u_shadow_map[first].xy;
    bool known = held(q);
    if (count > 1 && !known) {
        q = in_map(v_shadow[first + count - 1], positional);
        corner = u_shadow_map[first + count - 1].xy;
        known = held(q);
    }
    return known ? sampled(q, corner) : 1.0;
}

// Of light i, maps of shadows, and the first of them. Constants, so that no array is indexed by a variable.
#define MAPS(i) ((SHADOW_COUNTS >> (2 * (i))) & 3)
#define FIRST(i) (MAPS(0) * int((i) > 0) + MAPS(1) * int((i) > 1) + MAPS(2) * int((i) > 2) + MAPS(3) * int((i) > 3) \
                  + MAPS(4) * int((i) > 4) + MAPS(5) * int((i) > 5) + MAPS(6) * int((i) > 6))
#endif

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
// What a scene without lights shows of its colours.
const float DARK = 0.3;

// Each light that casts shadows is a picture of its own, in colours that end at 1; these are added to that of all others.
vec3 illuminate(vec3 rgb, vec3 texel, vec4 material, vec3 world, vec3 normal, float open) {
    vec3 eye = view_direction(world);
    vec3 unshadowed = rgb * (LIGHTS > 0 ? material.x : material.x + DARK);
    vec3 shadowed = vec3(0.0);
    for (int i = 0; i < LIGHTS; i++) {
        Light light = u_lights[i];
        vec3 toward;
        float strength = arriving(light, ((POSITIONAL >> i) & 1) != 0, world, toward);
        float incidence = dot(normal, toward);
        float shine = incidence > 0.0 ? material.y * pow(max(dot(normal, normalize(toward + eye)), 0.0), material.z) : 0.0;
        vec3 reflected = rgb * (light.ambient.rgb + light.diffuse.rgb * max(incidence, 0.0)) + light.specular.rgb * shine;
        reflected *= strength;
#if SHADOW_TAPS > 0
        if (MAPS(i) > 0) {
            shadowed += min(reflected, 1.0) * visibility(FIRST(i), MAPS(i), ((POSITIONAL >> i) & 1) != 0);
        } else
#endif
        unshadowed += reflected;
    }
    return min((min(unshadowed, 1.0) + shadowed) * texel, 1.0);
}

#else
// Light that the sky scatters into every scene, however dark its own lights leave it.
const vec3 FILL = vec3(0.11, 0.115, 0.125);

// open: how much of the ambient light reaches the place.
vec3 illuminate(vec3 rgb, vec3 texel, vec4 material, vec3 world, vec3 normal, float open) {
    vec3 base = rgb * texel;
    vec3 eye = view_direction(world);
    vec3 ambient = FILL, diffuse = vec3(0.0), specular = vec3(0.0);
    // The sky lights from above, the ground little from below: form shows even where no light reaches.
    float sky = 0.8 + 0.4 * normal.z;
    for (int i = 0; i < LIGHTS; i++) {
        Light light = u_lights[i];
        vec3 toward;
        float strength = arriving(light, ((POSITIONAL >> i) & 1) != 0, world, toward);
        ambient += light.ambient.rgb * min(strength * 4.0, 1.0);
        float incidence = dot(normal, toward);
        float lit = max(incidence, 0.0) * strength;
        float shine = incidence > 0.0 ? lobe(dot(normal, normalize(toward + eye)), material.z) * strength : 0.0;
#if SHADOW_TAPS > 0
        if (MAPS(i) > 0) {
            float seen = visibility(FIRST(i), MAPS(i), ((POSITIONAL >> i) & 1) != 0);
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
#endif
