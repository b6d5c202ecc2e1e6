#include "instance.glsl"

uniform mat4 u_light;

void main() {
    gl_Position = u_light * vec4(world_position(local_position()), 1.0);
}
