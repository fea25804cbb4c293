; Blur with 13 taps along a line and Gaussian weights.
; Coordinates and colours use separate registers, because ps_2_0 tracks dependent reads by register.
ps_2_0
def c30, 0.196, 0.175, 0.121, 0.0648
def c31, 0.027, 0.0088, 0.0022, 0
def c1, 0.00390625, 0, 0, -0.00390625
def c2, 0.0078125, 0, 0, -0.0078125
def c3, 0.01171875, 0, 0, -0.01171875
def c4, 0.015625, 0, 0, -0.015625
def c5, 0.01953125, 0, 0, -0.01953125
def c6, 0.0234375, 0, 0, -0.0234375
dcl t0.xy
dcl_2d s0
texld r0, t0, s0
mul r0, r0, c30.x
add r1.xy, t0, c1
add r2.xy, t0, c1.wzyx
texld r3, r1, s0
texld r4, r2, s0
add r3, r3, r4
mad r0, r3, c30.y, r0
add r1.xy, t0, c2
add r2.xy, t0, c2.wzyx
texld r3, r1, s0
texld r4, r2, s0
add r3, r3, r4
mad r0, r3, c30.z, r0
add r1.xy, t0, c3
add r2.xy, t0, c3.wzyx
texld r3, r1, s0
texld r4, r2, s0
add r3, r3, r4
mad r0, r3, c30.w, r0
add r1.xy, t0, c4
add r2.xy, t0, c4.wzyx
texld r5, r1, s0
texld r6, r2, s0
add r5, r5, r6
mad r0, r5, c31.x, r0
add r1.xy, t0, c5
add r2.xy, t0, c5.wzyx
texld r5, r1, s0
texld r6, r2, s0
add r5, r5, r6
mad r0, r5, c31.y, r0
add r1.xy, t0, c6
add r2.xy, t0, c6.wzyx
texld r5, r1, s0
texld r6, r2, s0
add r5, r5, r6
mad r0, r5, c31.z, r0
mov oC0, r0
