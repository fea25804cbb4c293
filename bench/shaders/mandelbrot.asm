; Divergent loop: lanes leave it at different iterations.
; range texcoord0 -2 1
; range texcoord1 -1 1
; executes 424
ps_3_0
def c30, 0, 4, 1, 0.03125
defi i0, 32, 0, 0, 0
dcl_texcoord0 v0.x
dcl_texcoord1 v1.y
mov r0, c30.x
mov r1.x, c30.x
rep i0
  mul r0.zw, r0.xyxy, r0.xyxy
  add r2.x, r0.z, r0.w
  break_gt r2.x, c30.y
  mul r2.y, r0.x, r0.y
  add r2.z, r0.z, -r0.w
  add r0.x, r2.z, v0.x
  add r0.y, r2.y, r2.y
  add r0.y, r0.y, v1.y
  add r1.x, r1.x, c30.w
endrep
mov r2, c0
lrp oC0, r1.x, c1, r2
