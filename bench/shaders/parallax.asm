; Parallax mapping: marches the view ray through a height map, then takes one secant step.
; range texcoord1 -1 1
; range texcoord2 -1 1
; executes 123
ps_3_0
def c30, 2, -1, 1, 0
def c31, 0.125, 0.05, 0.5, 16
defi i0, 8, 0, 0, 0
dcl_texcoord0 v0.xy
dcl_texcoord1 v1.xyz
dcl_texcoord2 v2.xyz
dcl_2d s0
dcl_2d s1
dcl_2d s2
nrm r0.xyz, v1
mul r1.xy, r0, c31.y
mul r1.xy, r1, c31.x
mov r2.xy, v0
mov r2.zw, c30.w
mov r3.x, c30.z
mov r3.y, c30.z
mov r4, c30.w
rep i0
  texldl r4, r2, s1
  break_ge r4.w, r3.x
  mov r3.y, r4.w
  add r3.x, r3.x, -c31.x
  add r2.xy, r2, -r1
endrep
add r5.x, r4.w, -r3.x
add r5.y, r3.y, -r3.x
add r5.z, r5.x, -r5.y
add r5.z, r5.z, c31.y
rcp r5.z, r5.z
mul_sat r5.x, r5.x, r5.z
mad r2.xy, r1, r5.x, r2
texldl r6, r2, s0
texldl r7, r2, s2
mad r7.xyz, r7, c30.x, c30.y
nrm r8.xyz, r7
nrm r9.xyz, v2
dp3_sat r10.x, r8, r9
add r11.xyz, r9, r0
nrm r7.xyz, r11
dp3_sat r10.y, r8, r7
pow r10.y, r10.y, c31.w
mul r6.xyz, r6, r10.x
mad oC0.xyz, r10.y, c1, r6
mov oC0.w, c30.z
