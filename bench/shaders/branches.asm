; Divergent branches: each lane selects one of four materials, nested.
; range texcoord0 0 1
; range texcoord1 0 1
; executes 38
ps_3_0
def c30, 0.5, 1, 0, 2
dcl_texcoord0 v0
dcl_texcoord1 v1
dcl_2d s0
dcl_2d s1
mov r0, c30.z
if_gt v0.x, c30.x
  if_gt v0.y, c30.x
    nrm r1.xyz, v1
    dp3 r0.x, r1, c0
    mul r0, r0.x, c1
  else
    texldl r1, v1, s0
    mul r0, r1, c2
    add r0, r0, v0
  endif
else
  if_gt v0.z, c30.x
    texldl r1, v1, s1
    mad r0, r1, c3, v0
    max r0, r0, c4
    mul r0, r0, r0
  else
    rcp r1.x, v1.x
    mul r1, v1, r1.x
    lrp r0, c5.x, r1, v0
  endif
endif
setp_gt p0, v0, c30.x
(p0) mul r0, r0, c6
(!p0) add r0, r0, c7
mov oC0, r0
