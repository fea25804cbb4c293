; Skinning with four bones: 3-row matrices from c20 on, indexed by a0.
; range blendindices0 0 24
; range blendweight0 0.1 0.4
; range position0 -4 4
; range normal0 -1 1
vs_2_0
def c0, 3, 1, 0, 0
dcl_position v0
dcl_blendweight v1
dcl_blendindices v2
dcl_normal v3
dcl_texcoord v4
frc r0, v2
add r0, v2, -r0
mul r0, r0, c0.x
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
mov r4.w, c0.y
dp3 r5.x, v3, r1
dp3 r5.y, v3, r2
dp3 r5.z, v3, r3
nrm r6.xyz, r5
dp4 oPos.x, r4, c1
dp4 oPos.y, r4, c2
dp4 oPos.z, r4, c3
dp4 oPos.w, r4, c4
dp3 r0.x, r6, c5
max r0.x, r0.x, c0.z
mov r1, c7
mad oD0, r0.x, c6, r1
mov oT0.xy, v4
