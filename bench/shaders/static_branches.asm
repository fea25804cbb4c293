; Static flow control: constants enable parts of a vertex shader, which calls subroutines.
; range normal0 -1 1
; range position0 -4 4
; set b0 1
; set b1 0
; set b2 1
; set b3 1
; executes 44
vs_2_0
def c0, 0, 1, 0.5, 2
dcl_position v0
dcl_normal v1
dcl_color v2
dcl_texcoord v3
m4x4 r0, v0, c1
mov oPos, r0
if b0
  m3x3 r1.xyz, v1, c5
  nrm r2.xyz, r1
else
  mov r2.xyz, v1
endif
mov r3, c8
callnz l0, b1
callnz l1, b2
if b3
  mad oT0.xy, v3, c9, c9.zwzw
else
  mov oT0.xy, v3
endif
mul oD0, r3, v2
call l2
ret
label l0
  dp3 r4.x, r2, c10
  max r4.x, r4.x, c0.x
  mad r3, r4.x, c11, r3
ret
label l1
  dp3 r4.x, r2, c12
  mad r4.x, r4.x, c0.z, c0.z
  mov r5, c14
  lrp r5, r4.x, c13, r5
  add r3, r3, r5
ret
label l2
  mad r0.x, r0.w, c15.x, c15.y
  max r0.x, r0.x, c0.x
  min oFog, r0.x, c0.y
ret
