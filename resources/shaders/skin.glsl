// A vertex of a skin: its bones' poses, weighted. The tables have the rows that render/mesh/skin.py gives them.
in vec2 in_weights;  // first entry and count in the weights

uniform sampler2D u_weights;  // bone, weight
uniform sampler2D u_bones;    // three texels a bone: the rows of its rotation, each with its shift

void bend(vec3 position, vec3 normal, float inflate, out vec3 world, out vec3 turned) {
    vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0);
    int first = int(in_weights.x + 0.5), count = int(in_weights.y + 0.5);
    for (int i = first; i < first + count; i++) {
        vec2 pull = texelFetch(u_weights, ivec2(i % 1024, i / 1024), 0).xy;
        int bone = int(pull.x + 0.5);
        ivec2 place = ivec2(bone % 512 * 3, bone / 512);
        x += pull.y * texelFetch(u_bones, place, 0);
        y += pull.y * texelFetch(u_bones, place + ivec2(1, 0), 0);
        z += pull.y * texelFetch(u_bones, place + ivec2(2, 0), 0);
    }
    turned = vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal));
    turned /= max(length(turned), 1e-6);  // 0 where the faces around the vertex cancel out
    vec4 p = vec4(position, 1.0);
    world = vec3(dot(x, p), dot(y, p), dot(z, p)) + inflate * turned;
}
