// How much of what is around reaches each place that is seen: 1 is all of it. BLUR: the second pass, which averages the first.
// After McGuire, Mara and Luebke, "Scalable ambient obscurance", 2012; all in the eye's own axes.
in vec2 v_uv;
out float f_open;

uniform sampler2D u_depth;
uniform vec4 u_corner;  // of the picture, one metre away: left, bottom, width, height; of parallel projection, at any distance
uniform vec4 u_clip;    // nearest and farthest depth [m]; z: 1 when parallel; w: how far around a place is looked [m]
uniform vec2 u_pixel;   // size of a pixel of this pass, in the picture's

float depth_at(vec2 uv) {
    float depth = texture(u_depth, uv).r;
    return u_clip.z > 0.5 ? mix(u_clip.x, u_clip.y, depth) : u_clip.x * u_clip.y / (u_clip.y - depth * (u_clip.y - u_clip.x));
}

#if BLUR
uniform sampler2D u_open;

void main() {
    float here = depth_at(v_uv), sum = 0.0, weight = 1e-4;
    for (int x = -2; x < 2; x++) {
        for (int y = -2; y < 2; y++) {
            vec2 uv = v_uv + (vec2(float(x), float(y)) + 0.5) * u_pixel;
            // What lies before or behind has a darkness of its own.
            float near = max(1.0 - abs(depth_at(uv) - here) / (0.1 * u_clip.w + 0.005 * here), 0.0);
            sum += near * texture(u_open, uv).r;
            weight += near;
        }
    }
    f_open = (sum + 1e-4) / weight;
}

#else
const int SAMPLES = 14;
const float TURNS = 5.0;        // of the spiral along which they lie; without a common factor with their number
const float MOST = 0.11;        // how far away on the screen, in its height: what is near the eye is looked around less
const float STRENGTH = 4.0;

vec3 place(vec2 uv) {
    float z = depth_at(uv);
    return vec3((u_corner.xy + uv * u_corner.zw) * (u_clip.z > 0.5 ? 1.0 : z), z);
}

// A step on the surface along the picture: to the side where the depth changes less, so that no edge is in it.
vec3 along(vec2 uv, vec2 pixel, vec3 here) {
    vec3 after = place(uv + pixel) - here, before = here - place(uv - pixel);
    return abs(after.z) < abs(before.z) ? after : before;
}

void main() {
    if (texture(u_depth, v_uv).r >= 1.0) {
        f_open = 1.0;
        return;
    }
    vec3 here = place(v_uv);
    vec3 normal = normalize(cross(along(v_uv, vec2(u_pixel.x, 0.0), here), along(v_uv, vec2(0.0, u_pixel.y), here)));
    if (dot(normal, u_clip.z > 0.5 ? vec3(0.0, 0.0, 1.0) : here) > 0.0) normal = -normal;
    float height = u_corner.w * (u_clip.z > 0.5 ? 1.0 : here.z);
    float reach = min(u_clip.w, MOST * height);
    vec2 across = reach / height * vec2(u_corner.w / u_corner.z, 1.0);
    float phase = 6.2832 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    float sum = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
        float share = (float(i) + 0.5) / float(SAMPLES), angle = share * TURNS * 6.2832 + phase;
        vec3 offset = place(v_uv + share * across * vec2(cos(angle), sin(angle))) - here;
        // In units of the reach, so that no power of it is too small for a float.
        float away = dot(offset, offset) / (reach * reach), fall = max(1.0 - away, 0.0);
        float over = max(dot(offset, normal) - 0.002 * here.z, 0.0) / reach;
        sum += fall * fall * fall * over / (away + 0.01);
    }
    f_open = max(1.0 - STRENGTH * sum / float(SAMPLES), 0.0);
}
#endif
