; Normal mapping in tangent space with specular light and attenuation. vm/plain.c has the same in C.
; range texcoord1 -1 1
; range texcoord2 -1 1
ps_2_0
def c30, 2, -1, 1, 0
dcl t0.xy
dcl t1.xyz
dcl t2.xyz
dcl_2d s0
dcl_2d s1
texld r0, t0, s0
texld r1, t0, s1
mad r1.xyz, r1, c30.x, c30.y
dp3 r1.w, r1, r1
rsq r1.w, r1.w
mul r1.xyz, r1, r1.w
dp3 r2.w, t1, t1
rsq r3.w, r2.w
mul r2.xyz, t1, r3.w
dp3 r4.w, t2, t2
rsq r4.w, r4.w
mad r5.xyz, t2, r4.w, r2
dp3 r5.w, r5, r5
rsq r5.w, r5.w
mul r5.xyz, r5, r5.w
dp3_sat r6.x, r1, r2
dp3_sat r6.y, r1, r5
mul r6.y, r6.y, r6.y
mul r6.y, r6.y, r6.y
mul r6.y, r6.y, r6.y
mul r6.y, r6.y, r6.y
mov r6.z, c30.z
mad_sat r6.z, -r2.w, c0.x, r6.z
mul r7.xyz, r6.x, c1
add r7.xyz, r7, c2
mul r7.xyz, r7, r0
mul r8.xyz, r6.y, c3
mad r7.xyz, r8, r0.w, r7
mul r7.xyz, r7, r6.z
mov r7.w, r0.w
mov oC0, r7
