; A loop over i0 point lights, two constants each from c20 on: the loop of ubershaders.
; range normal0 -1 1
; range position0 -4 4
; set i0 6 0 2
; executes 90
vs_2_0
def c0, 0, 1, 0.1, 0
dcl_position v0
dcl_normal v1
m4x4 oPos, v0, c1
m4x3 r0.xyz, v0, c5
m3x3 r1.xyz, v1, c5
nrm r2.xyz, r1
mov r3, c8
loop aL, i0
  add r4.xyz, c20[aL], -r0
  dp3 r4.w, r4, r4
  rsq r5.x, r4.w
  mul r4.xyz, r4, r5.x
  dp3 r5.y, r4, r2
  max r5.y, r5.y, c0.x
  mad r5.z, r4.w, c0.z, c0.y
  rcp r5.z, r5.z
  mul r5.y, r5.y, r5.z
  mad r3, r5.y, c21[aL], r3
endloop
mov oD0, r3
