vs_2_0
// c0-3 world * view * projection of the light
dcl_position v0
m4x4 r0, v0, c0
mov oPos, r0
mov oT0, r0.z
