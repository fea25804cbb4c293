; Water surface: four sine waves displace the vertices; their slopes give the tangent space.
; range position0 -4 4
vs_3_0
def c20, 0.159155, 0.25, 6.283185, -3.141593
def c21, 1, 0, 0.5, -1
dcl_position v0
dcl_texcoord v1
dcl_position o0
dcl_texcoord0 o1.xyz
dcl_texcoord1 o2.xyz
dcl_texcoord2 o3
mul r0, c4, v0.x
mad r0, c5, v0.z, r0
mov r1.x, c7.x
mad r0, c6, r1.x, r0
mad r0, r0, c20.x, c20.y
frc r0, r0
mad r0, r0, c20.z, c20.w
sincos r1.xy, r0.x
sincos r2.xy, r0.y
sincos r3.xy, r0.z
sincos r4.xy, r0.w
mov r5.x, r1.y
mov r5.y, r2.y
mov r5.z, r3.y
mov r5.w, r4.y
mov r6.x, r1.x
mov r6.y, r2.x
mov r6.z, r3.x
mov r6.w, r4.x
dp4 r7.y, r5, c8
add r8.y, r7.y, v0.y
mov r8.xz, v0
mov r8.w, c21.x
mul r6, r6, c9
dp4 r9.x, r6, c4
dp4 r9.z, r6, c5
mov r10.x, -r9.x
mov r10.y, c21.x
mov r10.z, -r9.z
nrm r11.xyz, r10
m4x4 o0, r8, c0
mov o1.xyz, r11
add r7.xyz, c10, -r8
nrm r9.xyz, r7
mov o2.xyz, r9
mov r3, c12
mad r3, v1.xyxy, c11, r3
mov o3, r3
