// What lies flat on the picture. IMAGE: 0 a colour, 1 an image, 2 depths, which are written where the picture has its own.
in vec2 v_place;

out vec4 f_color;

#if IMAGE
uniform sampler2D u_texture2d;
#else
uniform vec4 u_color;
#endif

void main() {
#if IMAGE == 2
    gl_FragDepth = texture(u_texture2d, v_place).r;
    f_color = vec4(0.0);
#elif IMAGE == 1
    f_color = texture(u_texture2d, v_place);
#else
    f_color = u_color;
#endif
}
