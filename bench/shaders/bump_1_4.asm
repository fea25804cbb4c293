; ps_1_4: dependent reads in two phases, a normal map and a table of highlights.
; range texcoord1 -1 1
; range texcoord2 -1 1
ps_1_4
def c0, 0.1, 0.1, 0.2, 1
texld r0, t0
texld r1, t1
texcrd r2.rgb, t2
dp3_sat r3.r, r0_bx2, r1_bx2
dp3_sat r3.g, r0_bx2, r2
mov r3.b, c0.b
phase
texld r3, r3
texld r4, t0
mad r0.rgb, r4, v0, c0
mad r0.rgb, r4, r3, r0
+ mul_sat r0.a, r4.a, v0.a
cnd r0.rgb, r0.a, r0, c0
