; Marble: five octaves of value noise without textures; hashes by sine, smooth bilinear blend.
; range texcoord0 -4 4
; executes 327
ps_3_0
def c30, 127.1, 311.7, 43758.5, 0.159155
def c31, 6.283185, -3.141593, 3, -2
def c32, 0, 1, 0.5, 2
defi i0, 5, 0, 0, 0
dcl_texcoord0 v0.xy
mov r0.xy, v0
mov r1.x, c32.x
mov r1.y, c32.z
rep i0
  frc r2.xy, r0
  add r3.xy, r0, -r2
  add r3.zw, r3.xyxy, c32.y
  mul r4.xy, r3.xzzw, c30.x
  mad r5.xy, r3.y, c30.y, r4
  mad r5.zw, r3.w, c30.y, r4.xyxy
  mul r5, r5, c30.w
  frc r5, r5
  mad r5, r5, c31.x, c31.y
  sincos r6.y, r5.x
  mov r7.x, r6.y
  sincos r6.y, r5.y
  mov r7.y, r6.y
  sincos r6.y, r5.z
  mov r7.z, r6.y
  sincos r6.y, r5.w
  mov r7.w, r6.y
  mul r7, r7, c30.z
  frc r7, r7
  mad r8.xy, r2, c31.w, c31.z
  mul r2.xy, r2, r2
  mul r8.xy, r8, r2
  lrp r9.x, r8.x, r7.y, r7.x
  lrp r9.y, r8.x, r7.w, r7.z
  lrp r9.z, r8.y, r9.y, r9.x
  mad r1.x, r9.z, r1.y, r1.x
  mul r1.y, r1.y, c32.z
  add r0.xy, r0, r0
endrep
mad r2.x, v0.x, c32.w, r1.x
frc r2.x, r2.x
mad r2.x, r2.x, c31.x, c31.y
sincos r3.y, r2.x
mad_sat r2.x, r3.y, c32.z, c32.z
mov r4, c1
lrp r4, r2.x, c0, r4
mov oC0, r4
