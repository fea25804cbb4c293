; Stateless particles: position under gravity, size, colour by age, a corner of the sprite.
; range position0 -4 4
; range texcoord0 0 1
vs_1_1
def c0, 0, 1, 0.5, 2
dcl_position v0
dcl_normal v1
dcl_color v2
dcl_texcoord v3
sub r0.x, c10.x, v3.z
mul r0.x, r0.x, v3.w
frc r0.y, r0.x
mul r1.xyz, v1, r0.y
mul r0.z, r0.y, r0.y
mad r1.xyz, r0.z, c11, r1
add r1.xyz, r1, v0
sub r2.x, c0.y, r0.y
mul r2.y, r2.x, c12.x
mad r3.xy, v3, c0.w, -c0.y
mul r3.xy, r3, r2.y
mad r1.xyz, r3.x, c13, r1
mad r1.xyz, r3.y, c14, r1
mov r1.w, c0.y
m4x4 oPos, r1, c1
mul r4, c15, r0.y
mad r4, c16, r2.x, r4
mul oD0, r4, v2
mov oT0.xy, v3
