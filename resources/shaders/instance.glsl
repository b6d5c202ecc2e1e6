// One vertex of one instance: matrices come row-major, so a vector multiplies them from the left to be rotated.
// SKIN: bones move the vertex, and the instance's pose does not. SOFT: 1 the surface of a flex, 2 a rod or ball of one.
in vec4 in_position;  // xyz on the unit mesh; w: cap, which end of a capsule
in vec3 in_normal;
in vec2 in_uv;

in vec3 i_pos;
in mat3 i_mat;
in vec4 i_scale;  // xyz; w: half the distance of a capsule's ends, or how far a skin is inflated

#if SKIN
#include "skin.glsl"
#endif

#if SOFT == 2
in vec3 in_start;  // ends of the rod from the instance's place; a ball has them in one point
in vec3 in_end;
#endif

// Where the vertex is in the instance's frame and in the world, and its normal there, of any length.
void place(out vec3 local, out vec3 world, out vec3 normal) {
#if SKIN
    local = in_position.xyz;
    bend(in_position.xyz, in_normal, i_scale.w, world, normal);
#elif SOFT == 2
    vec3 along = in_end - in_start;
    float length_ = length(along);
    vec3 z = length_ > 1e-9 ? along / length_ : vec3(0.0, 0.0, 1.0);
    vec3 x = normalize(cross(abs(z.x) < 0.9 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0), z));
    mat3 axes = mat3(x, cross(z, x), z);
    local = in_position.xyz * i_scale.xyz + vec3(0.0, 0.0, in_position.w * 0.5 * length_);
    world = axes * local + 0.5 * (in_start + in_end) + i_pos;
    normal = axes * in_normal;
#else
    local = in_position.xyz * i_scale.xyz + vec3(0.0, 0.0, in_position.w * i_scale.w);
    world = local * i_mat + i_pos;
    normal = (in_normal / i_scale.xyz) * i_mat;
#endif
}
