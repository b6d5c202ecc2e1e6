#include "instance.glsl"

in vec4 i_rgba;

uniform mat4 u_light;  // world to clip space

flat out vec4 v_rgba;

void main() {
    vec3 local, world, normal;
    place(local, world, normal);
    v_rgba = i_rgba;
    gl_Position = u_light * vec4(world, 1.0);
}
