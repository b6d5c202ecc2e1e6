// What is the same for every instance of one picture; maps of shadows are in the order of their lights.
#define MAX_LIGHTS 8
#define MAX_MAPS 8

struct Light {
    vec4 position;     // xyz [m]
    vec4 direction;    // xyz unit; w: cosine of the cone's half angle, below -1 for no cone
    vec4 attenuation;  // xyz: constant, linear, quadratic; w: exponent of the cone
    vec4 ambient;
    vec4 diffuse;
    vec4 specular;
};

layout(std140) uniform Frame {
    mat4 u_view_projection;
    mat4 u_inverse;      // clip space to world
    mat4 u_shadow_matrix[MAX_MAPS];  // world to a map's own texture space, 0 to 1
    vec4 u_shadow_map[MAX_MAPS];     // x, y: its corner in the texture; z: normal offset [m]
    vec4 u_eye;          // xyz [m]; w: 1 when orthographic
    vec4 u_forward;      // xyz unit; w: height of the endless floor [m]
    vec4 u_fog;          // rgb; w: 1 when on
    vec4 u_haze;         // rgb of the horizon; w: strength
    vec4 u_range;        // fog start, fog end, haze start, haze end [m]
    vec4 u_mirror;       // the mirror's plane: normal, offset; points below it are cut in the mirrored picture
    vec4 u_shadow_info;  // x: texel size, y: size of a map, both in the texture's width; w: mirror fade height [m]
    vec4 u_viewport;     // x, y: one over its size in pixels; z, w: its lower left corner, in that size
    Light u_lights[MAX_LIGHTS];
};

vec3 view_direction(vec3 world) {
    return u_eye.w > 0.5 ? -u_forward.xyz : normalize(u_eye.xyz - world);
}
