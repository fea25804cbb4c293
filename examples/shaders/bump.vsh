vs_2_0
// c0-3 world * view * projection, c4-6 world (three columns), c7 eye in world space
dcl_position v0
dcl_normal v1
dcl_texcoord0 v2
dcl_texcoord1 v3
m4x4 oPos, v0, c0
// Normal, tangent and their cross product in world space
m3x3 r0.xyz, v1, c4
m3x3 r1.xyz, v3, c4
mul r2.xyz, r0.yzxw, r1.zxyw
mad r2.xyz, -r1.yzxw, r0.zxyw, r2
// Each set holds one component of (tangent, bitangent, normal): three dp3 transform a texel to world space
mov oT1.x, r1.x
mov oT1.y, -r2.x
mov oT1.z, r0.x
mov oT2.x, r1.y
mov oT2.y, -r2.y
mov oT2.z, r0.y
mov oT3.x, r1.z
mov oT3.y, -r2.z
mov oT3.z, r0.z
m4x3 r3.xyz, v0, c4
add oT4.xyz, c7, -r3
mov oT5.xyz, r3
mov oT0.xy, v2
