#include "instance.glsl"

uniform mat4 u_light;

void main() {
    vec3 local, world, normal;
    place(local, world, normal);
    gl_Position = u_light * vec4(world, 1.0);
}
