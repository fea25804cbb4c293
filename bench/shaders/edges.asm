; Sobel edge detection, coloured by direction, with derivatives (ps_2_x).
ps_2_x
def c30, 0.0078125, -0.0078125, 0, 0.25
def c31, 0.299, 0.587, 0.114, 2
defb b0, true
dcl t0.xy
dcl_2d s0
add r0.xy, t0, c30.y
texld r1, r0, s0
dp3 r1.x, r1, c31
add r0.xy, t0, c30.xyzw
texld r2, r0, s0
dp3 r1.y, r2, c31
add r0.xy, t0, c30.yxzw
texld r2, r0, s0
dp3 r1.z, r2, c31
add r0.xy, t0, c30.x
texld r2, r0, s0
dp3 r1.w, r2, c31
add r3.x, r1.y, r1.w
add r3.x, r3.x, -r1.x
add r3.x, r3.x, -r1.z
add r3.y, r1.z, r1.w
add r3.y, r3.y, -r1.x
add r3.y, r3.y, -r1.y
mul r3.zw, r3.xyxy, r3.xyxy
add r4.x, r3.z, r3.w
add r4.x, r4.x, c30.w
rsq r4.y, r4.x
mul r4.x, r4.x, r4.y
if b0
  dsx r5.xy, t0
  dsy r5.zw, t0.xyxy
  dp4 r5.x, r5, r5
  add_sat r5.x, c30.w, r5.x
  mul r4.x, r4.x, r5.x
endif
mul r6.xy, r3, r4.y
mad r6.xy, r6, c31.w, r4.x
mov r6.z, r4.x
mov r6.w, c31.w
mov oC0, r6
