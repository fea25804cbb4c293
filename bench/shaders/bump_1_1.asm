; ps_1_1 bump mapping: a normal map, transformed to a cube map direction; gloss in alpha.
; range texcoord1 -1 1
; range texcoord2 -1 1
; range texcoord3 -1 1
ps_1_1
def c0, 0.2, 0.2, 0.3, 1
tex t0
texm3x3pad t1, t0_bx2
texm3x3pad t2, t0_bx2
texm3x3vspec t3, t0_bx2
dp3_sat r1.rgb, t0_bx2, v0_bx2
mul r0, t3, t0.a
mad r0.rgb, r1, v1, r0
+ mov r0.a, c0.a
add_sat r0, r0, c0
