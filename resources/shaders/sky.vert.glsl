#include "frame.glsl"

in vec2 in_corner;
out vec3 v_direction;

void main() {
    vec4 far = u_inverse * vec4(in_corner, 1.0, 1.0);
    v_direction = u_eye.w > 0.5 ? u_forward.xyz : far.xyz / far.w - u_eye.xyz;
    gl_Position = vec4(in_corner, 1.0, 1.0);
}
