// Between the numbers of a picture (sRGB) and the light they stand for. One undoes the other to 1.6 of 255; each is within 0.2 %
// of light (to_light) or 1.6 of 255 (to_display) of the standard's curve, without a power.
vec3 to_light(vec3 shown) {
    return shown * (shown * (shown * 0.3053 + 0.6822) + 0.0125);
}

vec3 to_display(vec3 light) {
    return 1.142 * sqrt(light) - 0.142 * light;
}

// The shoulder of Khronos' neutral tone mapping: colours stay what the model says up to three quarters of white, and roll off from
// there, less and less coloured, instead of burning out.
vec3 tone_map(vec3 light) {
    const float START = 0.76, ROOM = 1.0 - START, FADING = 0.12;
    float peak = max(light.r, max(light.g, light.b));
    if (peak < START) return light;
    // Shown is 1 - ROOM^2 / (peak - START + ROOM), brought on one fraction with the division by the peak.
    float scale = (peak + ROOM - START - ROOM * ROOM) / (peak * (peak + ROOM - START)), shown = scale * peak;
    return mix(light * scale, vec3(shown), min(FADING * (peak - shown), 0.9));
}
