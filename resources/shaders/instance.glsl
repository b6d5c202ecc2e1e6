// One vertex of one instance: matrices come row-major, so a vector multiplies them from the left to be rotated.
// SKIN: bones move the vertex, and the instance's pose does not.
in vec4 in_position;  // xyz on the unit mesh; w: cap, which end of a capsule
in vec3 in_normal;
in vec2 in_uv;

in vec3 i_pos;
in mat3 i_mat;
in vec4 i_scale;  // xyz; w: half the distance of a capsule's ends, or how far a skin is inflated

#if SKIN
#include "skin.glsl"
#endif

// Where the vertex is in the instance's frame and in the world, and its normal there, of any length.
void place(out vec3 local, out vec3 world, out vec3 normal) {
#if SKIN
    local = in_position.xyz;
    bend(in_position.xyz, in_normal, i_scale.w, world, normal);
#else
    local = in_position.xyz * i_scale.xyz + vec3(0.0, 0.0, in_position.w * i_scale.w);
    world = local * i_mat + i_pos;
    normal = (in_normal / i_scale.xyz) * i_mat;
#endif
}
