; Environment-mapped bump mapping (texbem) and comparisons.
ps_1_3
def c0, 0.3, 0.6, 0.1, 0.5
tex t0
texreg2rgb t1, t0
texbem t2, t0
dp3 r0, t2, c0
cmp r1, r0, t1, t2
lrp r0, c0.a, r1, v0
mul_sat r0.rgb, r0, t1
+ mov r0.a, t1.a
