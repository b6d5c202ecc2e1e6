#include "instance.glsl"

in vec4 i_rgba;

uniform mat4 u_light;  // world to clip space
#if INK >= 2
uniform vec4 u_ahead;  // metres ahead of the eye are xyz . world + w

out float v_ahead;
#endif

flat out vec4 v_rgba;

void main() {
    vec3 local, world, normal;
    place(local, world, normal);
    v_rgba = i_rgba;
#if INK >= 2
    v_ahead = dot(u_ahead.xyz, world) + u_ahead.w;
#endif
    gl_Position = u_light * vec4(world, 1.0);
}
