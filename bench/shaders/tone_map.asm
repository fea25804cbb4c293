; Tone mapping: bloom, exposure, filmic curve, saturation, vignette. vm/plain.c has the same in C.
; range texcoord0 0 1
; range texcoord1 0 4
; range texcoord2 0 2
; set c0 1.4 0.3 0.1 0
; set c1 0.22 0.03 0.002 0.2
; set c2 0.01 0.3 0.06 0
; set c3 0.2126 0.7152 0.0722 0
; set c4 0.8 1.3 0.9 1
ps_2_0
def c30, 0.5, 1, 0, 2
dcl t0.xy
dcl t1.xyz
dcl t2.xyz
mov r0.xyz, t1
mad r0.xyz, t2, c0.y, r0
mul r0.xyz, r0, c0.x
; (x (a x + b) + c) / (x (a x + d) + e) - f
mad r1.xyz, r0, c1.x, c1.y
mad r1.xyz, r0, r1, c1.z
mad r2.xyz, r0, c1.x, c1.w
mad r2.xyz, r0, r2, c2.z
rcp r3.x, r2.x
rcp r3.y, r2.y
rcp r3.z, r2.z
mul r1.xyz, r1, r3
add r1.xyz, r1, -c2.x
mul r1.xyz, r1, c4.y
; saturation
dp3 r2.w, r1, c3
lrp r4.xyz, c4.x, r1, r2.w
; vignette
add r5.xy, t0, -c30.x
mul r5.xy, r5, c4.z
mul r5.x, r5.x, r5.x
mad r5.x, r5.y, r5.y, r5.x
add_sat r5.x, c30.y, -r5.x
mul r5.x, r5.x, r5.x
mul_sat r4.xyz, r4, r5.x
mov r4.w, c30.y
mov oC0, r4
