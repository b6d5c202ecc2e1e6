in vec2 in_corner;

out vec2 v_place;

void main() {
    v_place = 0.5 + 0.5 * in_corner;
    gl_Position = vec4(in_corner, 0.0, 1.0);
}
