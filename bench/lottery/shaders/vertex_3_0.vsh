vs_3_0
// c0-3 projection, c4 direction to the light, c5 (fog scale, fog offset, ambient, 1)
dcl_position v0
dcl_normal v1
dcl_color0 v2
dcl_color1 v3
dcl_texcoord0 v4
dcl_texcoord1 v5
dcl_texcoord2 v6
dcl_position o0
dcl_fog o1.x
dcl_color0 o2
dcl_color1 o3
dcl_texcoord0 o4.xyz
dcl_texcoord1 o5.xyz
dcl_texcoord2 o6.xyz
m4x4 r0, v0, c0
mov o0, r0
mad o1.x, r0.w, c5.x, c5.y
nrm r1.xyz, v1
dp3 r2.x, r1, c4
add r2.x, r2_abs.x, c5.z
mul o2.xyz, v2, r2.x
mov o2.w, v2.w
mov o3, v3
mov o4.xyz, v4
mov o5.xyz, v5
mov o6.xyz, v6
