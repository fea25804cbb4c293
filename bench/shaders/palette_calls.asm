; Skinning: a loop calls a subroutine for each bone; outputs are indexed by aL.
; range blendindices0 0 40
; range position0 -4 4
; set i0 4 0 1
; executes 68
vs_3_0
def c0, 3, 1, 0, 0.25
dcl_position v0
dcl_blendweight v1
dcl_blendindices v2
dcl_position o0
dcl_texcoord0 o1
dcl_texcoord1 o2
dcl_texcoord2 o3
dcl_texcoord3 o4
mov r0, c0.z
frc r2, v2
add r2, v2, -r2
loop aL, i0
  mul r1.x, r2.x, c0.x
  call l0
  mov r2, r2.yzwx
  mov o1[aL], r3
endloop
mov r0.w, c0.y
m4x4 o0, r0, c4
ret
label l0
  mova a0.x, r1.x
  dp4 r3.x, v0, c20[a0.x]
  dp4 r3.y, v0, c21[a0.x]
  dp4 r3.z, v0, c22[a0.x]
  mov r3.w, c0.y
  mad r0.xyz, r3, c0.w, r0
ret
