; Screen-space ambient occlusion: a loop over eight samples of a sphere, with range checks.
; executes 161
ps_3_0
def c0, 0.53, 0.21, -0.4, 1
def c1, -0.33, 0.64, 0.2, 1
def c30, 0.05, 1, 0, 0.125
def c31, 2, -1, 0.01, 30
defi i0, 8, 0, 1, 0
dcl_texcoord0 v0.xy
dcl_2d s0
dcl_2d s1
mov r0.xy, v0
mov r0.zw, c30.z
texldl r1, r0, s0
texldl r2, r0, s1
mad r2.xyz, r2, c31.x, c31.y
nrm r3.xyz, r2
mov r4.x, c30.z
mov r7, c0
rep i0
  mul r5.xyz, r7.zxyw, c1
  mad r7.xyz, r7.yzxw, c1.zxyw, -r5
  nrm r5.xyz, r7
  dp3 r5.w, r5, r3
  cmp r6.xyz, r5.w, r5, -r5
  mad r8.xy, r6, c30.x, r0
  mov r8.zw, c30.z
  texldl r8, r8, s0
  add r6.w, r1.x, -r8.x
  mad r6.w, r6.z, c30.x, r6.w
  cmp r9.x, -r6.w, c30.z, c30.y
  mad_sat r9.y, -r6.w, c31.w, c31.x
  mad r4.x, r9.x, r9.y, r4.x
endrep
mad_sat r4.x, -r4.x, c30.w, c30.y
mov oC0, r4.x
