in vec2 in_corner;

out vec2 v_place;

void main() {
    v_place = in_corner;
    gl_Position = vec4(in_corner * 2.0 - 1.0, 0.0, 1.0);
}
