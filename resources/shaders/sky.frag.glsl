// CUBE: the model brings a skybox; else a plain bright day. CLASSIC: as the reference draws.
#include "frame.glsl"

in vec3 v_direction;
out vec4 f_color;

#if CUBE
uniform samplerCube u_sky;
#endif

void main() {
    vec3 direction = normalize(v_direction);
#if CUBE
    vec3 color = texture(u_sky, vec3(direction.x, direction.z, -direction.y)).rgb;
#else
    vec3 zenith = vec3(0.29, 0.42, 0.58), ground = vec3(0.36, 0.39, 0.43);
    float up = direction.z;
    vec3 color = up > 0.0 ? mix(u_haze.rgb, zenith, 1.0 - pow(1.0 - up, 2.5)) : mix(u_haze.rgb, ground, 1.0 - pow(1.0 + up, 4.0));
#endif
#if CLASSIC
    // A band from where the floor ends, at u_range.w, up to the horizon, which lies a little farther away.
    float fall = -direction.z / max(length(direction.xy), 1e-6), height = u_eye.z - u_forward.w;
    float band = fall * u_range.w * 1.28 / max(height + fall * u_range.w * 0.28, 1e-6);
    if (fall > 0.0 && height > 0.0) color = mix(color, u_haze.rgb, u_haze.w * min(band, 1.0));
    f_color = vec4(color, 1.0);
#else
    float rise = direction.z / 0.09;
    color = mix(color, u_haze.rgb, u_haze.w / (1.0 + rise * rise));
    // Half a grey level of noise hides the bands of an 8-bit gradient.
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    f_color = vec4(color + (noise - 0.5) / 255.0, 1.0);
#endif
}
