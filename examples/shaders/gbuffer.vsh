vs_3_0
// c0-3 world * view * projection, c4-6 world (three columns)
dcl_position v0
dcl_normal v1
dcl_texcoord0 v2
dcl_position o0
dcl_texcoord0 o1.xy
dcl_texcoord1 o2.xyz
dcl_texcoord2 o3.x
m4x4 r0, v0, c0
mov o0, r0
mov o3.x, r0.w
mov o1.xy, v2
m3x3 r1.xyz, v1, c4
mov o2.xyz, r1
