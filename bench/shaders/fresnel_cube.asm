; Cube map reflection and three refractions (dispersion), mixed by a Fresnel term.
; range texcoord0 -1 1
; range texcoord1 -1 1
ps_2_0
def c30, 2, -1, 1, 0
def c31, 0.65, 0.67, 0.69, 0.1
dcl t0.xyz
dcl t1.xyz
dcl_cube s0
nrm r0.xyz, t0
nrm r1.xyz, t1
dp3 r2.x, r0, r1
add r2.y, r2.x, r2.x
mad r3.xyz, r0, r2.y, -r1
mad r2.z, -r2.x, r2.x, c30.z
mov r4.w, c30.z
mad r4.x, -r2.z, c31.x, r4.w
mad r4.y, -r2.z, c31.y, r4.w
mad r4.z, -r2.z, c31.z, r4.w
max r4.xyz, r4, c31.w
rsq r5.x, r4.x
rsq r5.y, r4.y
rsq r5.z, r4.z
rcp r5.x, r5.x
rcp r5.y, r5.y
rcp r5.z, r5.z
mad r6.x, r2.x, c31.x, -r5.x
mad r6.y, r2.x, c31.y, -r5.y
mad r6.z, r2.x, c31.z, -r5.z
mul r7.xyz, r0, r6.x
mad r7.xyz, r1, -c31.x, r7
mul r8.xyz, r0, r6.y
mad r8.xyz, r1, -c31.y, r8
mul r9.xyz, r0, r6.z
mad r9.xyz, r1, -c31.z, r9
texld r3, r3, s0
texld r7, r7, s0
texld r8, r8, s0
texld r9, r9, s0
mov r7.y, r8.y
mov r7.z, r9.z
abs r2.x, r2.x
add_sat r2.x, c30.z, -r2.x
mul r2.y, r2.x, r2.x
mul r2.y, r2.y, r2.x
mad_sat r2.y, r2.y, c0.x, c0.y
lrp r10.xyz, r2.y, r3, r7
mov r10.w, c30.z
mov oC0, r10
