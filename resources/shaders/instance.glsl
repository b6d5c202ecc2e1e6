// One vertex of one instance: matrices come row-major, so a vector multiplies them from the left to be rotated.
in vec4 in_position;  // xyz on the unit mesh; w: cap, which end of a capsule
in vec3 in_normal;
in vec2 in_uv;

in vec3 i_pos;
in mat3 i_mat;
in vec4 i_scale;  // xyz; w: half the distance of a capsule's ends

vec3 local_position() {
    return in_position.xyz * i_scale.xyz + vec3(0.0, 0.0, in_position.w * i_scale.w);
}

vec3 world_position(vec3 local) {
    return local * i_mat + i_pos;
}

vec3 world_normal() {
    return (in_normal / i_scale.xyz) * i_mat;
}
