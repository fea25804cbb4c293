; Transform and lighting: a directional and a point light with specular highlights, fog. The goal of
; 20 million vertices a second refers to this shader.
; range normal0 -1 1
; range position0 -4 4
; set c0 1.2 0.1 0 0.5
; set c1 -0.1 1.6 0.2 0.3
; set c2 0 -0.2 1.1 2
; set c3 0 0 1 9
; set c4 0.8 0.6 0 1
; set c5 -0.6 0.8 0 2
; set c6 0 0 1 3
; set c8 0.577 0.577 0.577 0
; set c9 2 5 -3 16
; set c10 1 0.1 0.02 0
; set c15 0 0 -6 1
vs_2_0
def c30, 0, 1, 0.5, 20
dcl_position v0
dcl_normal v1
dcl_color v2
dcl_texcoord v3
m4x4 r0, v0, c0
mov oPos, r0
m4x3 r1.xyz, v0, c4
m3x3 r2.xyz, v1, c4
nrm r3.xyz, r2
add r4.xyz, c15, -r1
nrm r5.xyz, r4
; directional light
dp3 r6.x, r3, c8
add r7.xyz, r5, c8
nrm r8.xyz, r7
dp3 r6.y, r3, r8
mov r6.w, c9.w
lit r6, r6
mul r9.xyz, r6.y, c11
mul r10.xyz, r6.z, c12
; point light
add r4.xyz, c9, -r1
dp3 r4.w, r4, r4
rsq r11.x, r4.w
mul r4.xyz, r4, r11.x
dst r7, r4.w, r11.x
dp3 r7.x, r7, c10
rcp r7.w, r7.x
dp3 r6.x, r3, r4
add r8.xyz, r5, r4
nrm r2.xyz, r8
dp3 r6.y, r3, r2
mov r6.w, c9.w
lit r6, r6
mul r6.yz, r6, r7.w
mad r9.xyz, r6.y, c13, r9
mad r10.xyz, r6.z, c14, r10
; sum
add r9.xyz, r9, c16
mul oD0.xyz, r9, v2
mov oD0.w, v2.w
mov oD1.xyz, r10
mov oD1.w, c30.x
mov oT0.xy, v3
mad r0.x, r0.w, -c17.x, c17.y
max oFog, r0.x, c30.x
