; Dynamic flow of vs_2_x: skips those of six point lights that are too far away; predicates select
; results.
; range normal0 -1 1
; range position0 -4 4
; set i0 6 0 2
; set c20 2 0 0 0
; set c22 -2 1 0 0
; set c24 0 3 1 0
; set c26 0 0 4 0
; set c28 -4 0 -4 0
; set c30 9 9 9 0
; executes 111
vs_2_x
def c0, 0, 1, 0.05, 20
dcl_position v0
dcl_normal v1
m4x4 oPos, v0, c1
m4x3 r0.xyz, v0, c5
m3x3 r1.xyz, v1, c5
nrm r2.xyz, r1
dp3 r1.x, r2, r0
setp_lt p0.x, r1.x, c0.x
(p0.x) mov r2.xyz, -r2
mov r3, c8
loop aL, i0
  add r4.xyz, c20[aL], -r0
  dp3 r4.w, r4, r4
  if_lt r4.w, c0.w
    rsq r5.x, r4.w
    mul r4.xyz, r4, r5.x
    dp3 r5.y, r4, r2
    max r5.y, r5.y, c0.x
    mad r5.z, -r4.w, c0.z, c0.y
    mul r5.y, r5.y, r5.z
    mad r3, r5.y, c21[aL], r3
  endif
endloop
mov oD0, r3
