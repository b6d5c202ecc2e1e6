// An instance's bare colour, or (DEPTH) how near it is.
flat in vec4 v_rgba;

out vec4 f_color;

void main() {
#if DEPTH
    f_color = vec4(vec3(1.0 - gl_FragCoord.z), 1.0);
#else
    f_color = vec4(v_rgba.rgb, 1.0);
#endif
}
