vs_2_0
// c0-3 world * view * projection, c4-6 world (three columns), c8-11 world to the shadow map
dcl_position v0
dcl_normal v1
m4x4 oPos, v0, c0
m3x3 r0.xyz, v1, c4
mov oT0.xyz, r0
m4x4 r1, v0, c8
mov oT1, r1
