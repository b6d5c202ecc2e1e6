// An instance without light; INK as in render/passes/plain.py: 0 its bare colour, 1 its depth in the buffer, 2 grey by metres,
// 3 its number and metres.
flat in vec4 v_rgba;
#if INK >= 2
in float v_ahead;
#endif
#if INK == 2
uniform vec3 u_span;  // near and far [m], and how bright what is far is
#endif

#if INK == 3
out vec2 f_color;
#else
out vec4 f_color;
#endif

void main() {
#if INK == 3
    f_color = vec2(v_rgba.r, v_ahead);
#elif INK == 2
    float share = clamp((v_ahead - u_span.x) / (u_span.y - u_span.x), 0.0, 1.0);
    float grey = v_ahead > u_span.y ? u_span.z * u_span.y / v_ahead : mix(1.0, u_span.z, share);
    f_color = vec4(vec3(grey), 1.0);
#elif INK == 1
    f_color = vec4(vec3(1.0 - gl_FragCoord.z), 1.0);
#else
    f_color = vec4(v_rgba.rgb, 1.0);
#endif
}
