vs_3_0
// Skinning with four of 60 bones per vertex, three rows each from c20 on.
// c0-3 view * projection, c4 light vector, c5 and c6 colours
def c8, 3.0, 0, 1, 0
dcl_position v0
dcl_blendweight v1
dcl_blendindices v2
dcl_normal v3
dcl_position o0
dcl_color0 o1
mul r0, v2, c8.x
mova a0, r0
mul r1, v1.x, c20[a0.x]
mul r2, v1.x, c21[a0.x]
mul r3, v1.x, c22[a0.x]
mad r1, v1.y, c20[a0.y], r1
mad r2, v1.y, c21[a0.y], r2
mad r3, v1.y, c22[a0.y], r3
mad r1, v1.z, c20[a0.z], r1
mad r2, v1.z, c21[a0.z], r2
mad r3, v1.z, c22[a0.z], r3
mad r1, v1.w, c20[a0.w], r1
mad r2, v1.w, c21[a0.w], r2
mad r3, v1.w, c22[a0.w], r3
dp4 r4.x, v0, r1
dp4 r4.y, v0, r2
dp4 r4.z, v0, r3
mov r4.w, c8.z
dp3 r5.x, v3, r1
dp3 r5.y, v3, r2
dp3 r5.z, v3, r3
nrm r6.xyz, r5
m4x4 o0, r4, c0
dp3 r6.w, r6, c4
max r6.w, r6.w, c8.y
mov r7, c6
mad o1, r6.w, c5, r7
