// How much of a light reaches a place. SHADOW_TAPS: 0 for no shadow, else how many bilinear comparisons make its soft edge; from
// 10 on, an edge as wide as the light's size makes it.
// SHADOW_MAPS: how many there are, in the order of their lights, the finer first; SHADOW_COUNTS: of each light, two bits.
#if SHADOW_TAPS > 0
uniform sampler2DShadow u_shadow;
in vec4 v_shadow[SHADOW_MAPS];

#if SHADOW_TAPS > 9
uniform sampler2D u_blockers;  // the same, without comparing

// Percentage-closer soft shadows, after Fernando, 2005: as wide as the gap to what casts it and the light's size make it.
// softness: the width of the edge, in the map's, for a gap of all its depth.
float softened(vec3 q, vec2 corner, float softness) {
    const int LOOKS = 12;
    const mat2 GOLDEN = mat2(-0.73737, 0.67549, -0.67549, -0.73737);  // points of a disc, none near another
    float side = u_shadow_info.y, texel = u_shadow_info.x / side;
    // The depth of the lit surface itself beside this place.
    vec3 dx = dFdx(q), dy = dFdy(q);
    float area = dx.x * dy.y - dx.y * dy.x;
    vec2 slope = abs(area) > 1e-12 ? vec2(dy.y * dx.z - dx.y * dy.z, dx.x * dy.z - dy.x * dx.z) / area : vec2(0.0);
    slope = clamp(slope, -2.0, 2.0);
    float least = 1.5 * texel, most = clamp(softness * q.z, least, 0.08);
    float phase = 6.2832 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    vec2 turn = vec2(cos(phase), sin(phase));
    float sum = 0.0, count = 0.0;
    for (int i = 0; i < LOOKS; i++) {
        vec2 off = sqrt((float(i) + 0.5) / float(LOOKS)) * most * turn;
        float depth = texture(u_blockers, corner + clamp(q.xy + off, texel, 1.0 - texel) * side).r;
        float over = float(depth < min(q.z + dot(slope, off), 1.0));
        sum += over * depth;
        count += over;
        turn = GOLDEN * turn;
    }
    if (count < 0.5) return 1.0;
    float wide = clamp(softness * (q.z - sum / count), least, most), seen = 0.0;
    for (int i = 0; i < SHADOW_TAPS; i++) {
        vec2 off = sqrt((float(i) + 0.5) / float(SHADOW_TAPS)) * wide * turn;
        vec2 at = corner + clamp(q.xy + off, texel, 1.0 - texel) * side;
        seen += texture(u_shadow, vec3(at, min(q.z + dot(slope, off), 1.0)));
        turn = GOLDEN * turn;
    }
    return seen / float(SHADOW_TAPS);
}
#endif

float sampled(vec3 q, vec2 corner, float softness) {
#if SHADOW_TAPS > 9
    return softened(q, corner, softness);
#else
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
    float softness = u_shadow_map[first].w;
    bool known = held(q);
    if (count > 1 && !known) {
        q = in_map(v_shadow[first + count - 1], positional);
        corner = u_shadow_map[first + count - 1].xy;
        softness = u_shadow_map[first + count - 1].w;
        known = held(q);
    }
    return known ? sampled(q, corner, softness) : 1.0;
}

// Of light i, maps of shadows, and the first of them. Constants, so that no array is indexed by a variable.
#define MAPS(i) ((SHADOW_COUNTS >> (2 * (i))) & 3)
#define FIRST(i) (MAPS(0) * int((i) > 0) + MAPS(1) * int((i) > 1) + MAPS(2) * int((i) > 2) + MAPS(3) * int((i) > 3) \
                  + MAPS(4) * int((i) > 4) + MAPS(5) * int((i) > 5) + MAPS(6) * int((i) > 6))
#endif
