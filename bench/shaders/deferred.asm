; Deferred lighting from a G-buffer: position from depth, a spot light with falloff, two targets.
; range texcoord0 -1 1
ps_3_0
def c30, 2, -1, 1, 0
dcl_texcoord0 v0
dcl_texcoord1 v1.xy
dcl_2d s0
dcl_2d s1
dcl_2d s2
texld r0, v1, s0
texld r1, v1, s1
texld r2, v1, s2
mad r1.xyz, r1, c30.x, c30.y
nrm r3.xyz, r1
mul r4.xyz, v0, r2.x
add r5.xyz, c0, -r4
dp3 r5.w, r5, r5
rsq r6.x, r5.w
mul r5.xyz, r5, r6.x
mov r6.z, c30.z
mad_sat r6.y, -r5.w, c1.x, r6.z
mul r6.y, r6.y, r6.y
dp3 r6.z, r5, -c2
add r6.z, r6.z, -c1.y
mul_sat r6.z, r6.z, c1.z
mul r6.y, r6.y, r6.z
dp3_sat r7.x, r3, r5
nrm r8.xyz, -r4
add r8.xyz, r8, r5
nrm r9.xyz, r8
dp3_sat r7.y, r3, r9
mul r8.x, r1.w, c1.w
pow r7.y, r7.y, r8.x
mul r7.xy, r7, r6.y
mul r10.xyz, r0, c3
mul oC0.xyz, r10, r7.x
mov oC0.w, r2.x
mul r11.xyz, c3, r0.w
mul oC1.xyz, r11, r7.y
mov oC1.w, c30.w
