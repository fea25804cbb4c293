; Terrain: four ground textures mixed by a blend map, baked light, detail texture and fog.
ps_2_0
def c30, 2, 1, 0, 0.5
dcl t0.xy
dcl t1.xy
dcl t2.x
dcl v0
dcl_2d s0
dcl_2d s1
dcl_2d s2
dcl_2d s3
dcl_2d s4
dcl_2d s5
texld r0, t0, s0
texld r1, t1, s1
texld r2, t1, s2
texld r3, t1, s3
texld r4, t1, s4
texld r5, t0, s5
dp4 r6.x, r0, c30.y
rcp r6.x, r6.x
mul r0, r0, r6.x
mul r7.xyz, r1, r0.x
mad r7.xyz, r2, r0.y, r7
mad r7.xyz, r3, r0.z, r7
mad r7.xyz, r4, r0.w, r7
mul r7.xyz, r7, r5
mul r7.xyz, r7, c30.x
mul r7.xyz, r7, v0
mov_sat r8.x, t2.x
lrp r7.xyz, r8.x, r7, c0
mov r7.w, c30.y
mov oC0, r7
