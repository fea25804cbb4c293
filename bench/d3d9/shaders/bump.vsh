vs_2_0
// c0-3 world * view * projection, c4-6 world (three columns), c7 eye position
dcl_position v0
dcl_normal v1
dcl_texcoord0 v2
dcl_texcoord1 v3
m4x4 oPos, v0, c0
m3x3 r0.xyz, v1, c4
m3x3 r1.xyz, v3, c4
mul r2.xyz, r0.yzxw, r1.zxyw
mad r2.xyz, -r1.yzxw, r0.zxyw, r2
mov oT1.xyz, r1
mov oT2.xyz, -r2
mov oT3.xyz, r0
m4x3 r3.xyz, v0, c4
add oT4.xyz, c7, -r3
mov oT0.xy, v2
