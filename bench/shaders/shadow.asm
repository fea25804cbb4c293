; Shadow map: nine comparison taps around the projected position, averaged; one light.
; range texcoord0 0.4 0.6
; range texcoord1 -1 1
ps_3_0
def c30, 0.001953125, -0.001953125, 0, 0.111111
def c31, 0.002, 1, 0, 0.5
dcl_texcoord0 v0
dcl_texcoord1 v1.xyz
dcl_texcoord2 v2.xy
dcl_2d s0
dcl_2d s1
rcp r0.w, v0.w
mul r0.xyz, v0, r0.w
add r0.z, r0.z, -c31.x
add r1, r0.xyxy, c30.yyzy
add r2, r0.xyxy, c30.xyyz
add r3, r0.xyxy, c30.zzxz
add r4, r0.xyxy, c30.yxzx
add r5.xy, r0, c30.x
texld r6, r1, s0
mov r7.x, r6.x
mov r1.xy, r1.zwzw
texld r6, r1, s0
mov r7.y, r6.x
texld r6, r2, s0
mov r7.z, r6.x
mov r2.xy, r2.zwzw
texld r6, r2, s0
mov r7.w, r6.x
texld r6, r3, s0
mov r8.x, r6.x
mov r3.xy, r3.zwzw
texld r6, r3, s0
mov r8.y, r6.x
texld r6, r4, s0
mov r8.z, r6.x
mov r4.xy, r4.zwzw
texld r6, r4, s0
mov r8.w, r6.x
texld r6, r5, s0
add r7, r7, -r0.z
add r8, r8, -r0.z
add r9.x, r6.x, -r0.z
cmp r7, r7, c31.y, c31.z
cmp r8, r8, c31.y, c31.z
cmp r9.x, r9.x, c31.y, c31.z
dp4 r10.x, r7, c30.w
dp4 r10.y, r8, c30.w
add r10.x, r10.x, r10.y
mad r10.x, r9.x, c30.w, r10.x
nrm r11.xyz, v1
dp3_sat r11.w, r11, c0
mul r11.w, r11.w, r10.x
texld r6, v2, s1
mov r9, c2
mad r9, r11.w, c1, r9
mul oC0, r6, r9
