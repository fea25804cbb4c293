; The instruction mix that rates are compared by: 32 instructions over 12 registers, all results
; used. vm/plain.c has the same in C.
ps_3_0
dcl_texcoord0 v0
dcl_texcoord1 v1
add r0, v0, c9
add r1, v1, c10
add r2, v0, c11
add r3, v1, c12
add r4, v0, c13
add r5, v1, c14
add r6, v0, c15
add r7, v1, c16
add r8, v0, c17
add r9, v1, c18
add r10, v0, c19
add r11, v1, c20
mov r0, r1.wzyx
add r1, r2, r7
mul r2, r3, r8
mad r3, r4, r9, r3
dp3 r4.x, r5, r10
dp4 r5.w, r6, r11
max r6, r7, r0
lrp r7, r8, r1, r7
mov r8, r9.wzyx
add r9, r10, r3
mul r10, r11, r4
mad r11, r0, r5, r11
dp3 r0.x, r1, r6
dp4 r1.w, r2, r7
max r2, r3, r8
lrp r3, r4, r9, r3
mov r4, r5.wzyx
add r5, r6, r11
mul r6, r7, r0
mad r7, r8, r1, r7
dp3 r8.x, r9, r2
dp4 r9.w, r10, r3
max r10, r11, r4
lrp r11, r0, r5, r11
mov r0, r1.wzyx
add r1, r2, r7
mul r2, r3, r8
mad r3, r4, r9, r3
dp3 r4.x, r5, r10
dp4 r5.w, r6, r11
max r6, r7, r0
lrp r7, r8, r1, r7
add r0, r0, r1
add r0, r0, r2
add r0, r0, r3
add r0, r0, r4
add r0, r0, r5
add r0, r0, r6
add r0, r0, r7
add r0, r0, r8
add r0, r0, r9
add r0, r0, r10
add r0, r0, r11
mov oC0, r0
