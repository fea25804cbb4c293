; Toon shading by tables: a dot product of coordinates looks up a ramp; a comparison cuts the edges.
; range texcoord1 -1 1
; range texcoord2 -1 1
ps_1_2
def c0, 0.1, 0.1, 0.1, 0.5
def c1, 0.4, 0.3, 0.2, 1
tex t0
texdp3tex t1, t0_bx2
texdp3 t2, t0_bx2
add r1, t2, -c0.a
mul t1, t1, v0
cmp r0.rgb, r1, t1, c0
+ mov r0.a, v0.a
mad_sat r0.rgb, r0, c1, v1
