; vs_1_1 skinning: two bones, one address register.
; range blendindices0 0 20
; range blendweight0 0.1 0.9
; range position0 -4 4
; range normal0 -1 1
vs_1_1
def c0, 3, 1, 0, 0
dcl_position v0
dcl_blendweight v1
dcl_blendindices v2
dcl_normal v3
mul r0, v2, c0.x
mov a0.x, r0.x
m4x3 r1.xyz, v0, c30[a0.x]
m3x3 r2.xyz, v3, c30[a0.x]
mov a0.x, r0.y
m4x3 r3.xyz, v0, c30[a0.x]
m3x3 r4.xyz, v3, c30[a0.x]
sub r5.x, c0.y, v1.x
mul r1.xyz, r1, v1.x
mad r1.xyz, r3, r5.x, r1
mov r1.w, c0.y
mul r2.xyz, r2, v1.x
mad r2.xyz, r4, r5.x, r2
dp3 r2.w, r2, r2
rsq r2.w, r2.w
mul r2.xyz, r2, r2.w
m4x4 oPos, r1, c1
dp3 r6.x, r2, c5
dp3 r6.y, r2, c6
mov r6.w, c7.w
lit r6, r6
mul r7, r6.y, c8
mad oD0, r6.z, c9, r7
