; Water: two moving normal maps distort reflection and refraction; Fresnel mix, sun glitter.
; range texcoord1 -1 1
; range texcoord3 -1 1
ps_2_0
def c30, 2, -1, 1, 0
def c31, 0.5, 64, 0.02, 5
dcl t0
dcl t1.xyz
dcl t2
dcl t3.xyz
dcl_2d s0
dcl_2d s1
dcl_2d s2
mov r1.xy, t0.wzyx
texld r0, t0, s0
texld r1, r1, s0
add r0.xyz, r0, r1
add r0.xyz, r0, c30.y
nrm r2.xyz, r0
nrm r3.xyz, t1
rcp r4.w, t2.w
mul r4.xy, t2, r4.w
mad r4.xy, r4, c31.x, c31.x
mad r5.xy, r2, c0.x, r4
mad r6.xy, r2, c0.y, r4
texld r5, r5, s1
texld r6, r6, s2
dp3_sat r7.x, r2, r3
add r7.y, c30.z, -r7.x
mul r7.z, r7.y, r7.y
mul r7.z, r7.z, r7.z
mul r7.y, r7.y, r7.z
mov r7.z, c31.z
mad_sat r7.y, r7.y, c1.x, r7.z
lrp r8.xyz, r7.y, r5, r6
add r9.xyz, r3, c2
nrm r10.xyz, r9
dp3_sat r9.w, r10, r2
pow r9.w, r9.w, c31.y
mad r8.xyz, r9.w, c3, r8
mad_sat r11.x, t3.z, c4.x, c4.y
lrp r8.xyz, r11.x, r8, c5
mov r8.w, c30.z
mov oC0, r8
