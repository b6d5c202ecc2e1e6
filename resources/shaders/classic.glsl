// The rules of the fixed-function pipeline, as the reference draws; they are told in docs/decisions/picture.md.
// What a scene without lights shows of its colours.
const float DARK = 0.3;

// Each light that casts shadows is a picture of its own, in colours that end at 1; these are added to that of all others.
vec3 illuminate(vec3 rgb, vec3 texel, vec4 material, vec3 world, vec3 normal, float open) {
    vec3 eye = view_direction(world);
    vec3 unshadowed = rgb * (LIGHTS > 0 ? material.x : material.x + DARK);
    vec3 shadowed = vec3(0.0);
    for (int i = 0; i < LIGHTS; i++) {
        Light light = u_lights[i];
        vec3 toward;
        float strength = arriving(light, ((POSITIONAL >> i) & 1) != 0, world, toward);
        float incidence = dot(normal, toward);
        float shine = incidence > 0.0 ? material.y * pow(max(dot(normal, normalize(toward + eye)), 0.0), material.z) : 0.0;
        vec3 reflected = rgb * (light.ambient.rgb + light.diffuse.rgb * max(incidence, 0.0)) + light.specular.rgb * shine;
        reflected *= strength;
#if SHADOW_TAPS > 0
        if (MAPS(i) > 0) {
            shadowed += min(reflected, 1.0) * visibility(FIRST(i), MAPS(i), ((POSITIONAL >> i) & 1) != 0);
        } else
#endif
        unshadowed += reflected;
    }
    return min((min(unshadowed, 1.0) + shadowed) * texel, 1.0);
}
