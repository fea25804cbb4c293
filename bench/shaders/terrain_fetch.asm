; Vertex texture fetch: a height map with four taps, filtered in the shader; normal by differences.
; range position0 -4 4
vs_3_0
def c20, 256, 0.00390625, 0, 1
dcl_position v0
dcl_texcoord v1
dcl_2d s0
dcl_position o0
dcl_color o1
dcl_texcoord o2.xy
mov r0.zw, c20.z
mul r1.xy, v1, c20.x
frc r2.xy, r1
add r1.xy, r1, -r2
mul r0.xy, r1, c20.y
texldl r3, r0, s0
add r4, r0, c20.yzzz
texldl r5, r4, s0
add r4, r0, c20.zyzz
texldl r6, r4, s0
add r4, r0, c20.yyzz
texldl r7, r4, s0
lrp r8.x, r2.x, r5.x, r3.x
lrp r8.y, r2.x, r7.x, r6.x
lrp r8.z, r2.y, r8.y, r8.x
add r9.x, r3.x, -r5.x
add r9.z, r3.x, -r6.x
mov r9.y, c4.x
nrm r10.xyz, r9
mov r11, v0
mad r11.y, r8.z, c4.y, v0.y
m4x4 o0, r11, c0
dp3_sat r9.x, r10, c5
mov r10, c7
mad o1, r9.x, c6, r10
mov o2.xy, v1
