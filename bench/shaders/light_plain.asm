; Transform and lighting without pow: two directional lights, the highlight is cosine^8. vm/plain.c
; has the same in C.
; range normal0 -1 1
; range position0 -4 4
; set c0 1.2 0.1 0 0.5
; set c1 -0.1 1.6 0.2 0.3
; set c2 0 -0.2 1.1 2
; set c3 0 0 1 9
; set c4 0.8 0.6 0 1
; set c5 -0.6 0.8 0 2
; set c6 0 0 1 3
; set c8 0.577 0.577 0.577 0
; set c9 -0.7 0.1 0.7 0
; set c10 0.3 0.8 0.5 0
vs_2_0
def c30, 0, 1, 0.5, 20
dcl_position v0
dcl_normal v1
dcl_color v2
m4x4 oPos, v0, c0
m3x3 r2.xyz, v1, c4
dp3 r3.w, r2, r2
rsq r3.w, r3.w
mul r3.xyz, r2, r3.w
dp3 r4.x, r3, c8
max r4.x, r4.x, c30.x
dp3 r4.y, r3, c9
max r4.y, r4.y, c30.x
dp3 r4.z, r3, c10
max r4.z, r4.z, c30.x
mul r4.z, r4.z, r4.z
mul r4.z, r4.z, r4.z
mul r4.z, r4.z, r4.z
mul r5.xyz, r4.x, c11
mad r5.xyz, r4.y, c12, r5
add r5.xyz, r5, c13
mul oD0.xyz, r5, v2
mov oD0.w, v2.w
mul oD1, r4.z, c14
