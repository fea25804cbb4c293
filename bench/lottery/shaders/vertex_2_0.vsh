vs_2_0
// One directional light; c0-3 projection, c4 direction to the light, c5 (fog scale, fog offset, ambient, 1)
dcl_position v0
dcl_normal v1
dcl_color0 v2
dcl_color1 v3
dcl_texcoord0 v4
dcl_texcoord1 v5
dcl_texcoord2 v6
m4x4 r0, v0, c0
mov oPos, r0
mad oFog, r0.w, c5.x, c5.y
nrm r1.xyz, v1
dp3 r2.x, r1, c4
max r2.x, r2.x, -r2.x
add r2.x, r2.x, c5.z
mul r3.xyz, v2, r2.x
mov r3.w, v2.w
mov oD0, r3
mov oD1, v3
mov oT0.xyz, v4
mov oT1.xyz, v5
mov oT2.xyz, v6
