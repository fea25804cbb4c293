vs_2_0
// c0-3 world * view * projection, c4 light vector, c5 and c6 colours
def c8, 0.5, 1, 0, 0
dcl_position v0
dcl_normal v1
m4x4 oPos, v0, c0
dp3 r0.x, v1, c4
mad r0.x, r0.x, c8.x, c8.x
mul r0.x, r0.x, r0.x
mov r1, c6
mad oD0, r0.x, c5, r1
