vs_3_0
// c0-3 view * projection, c4.x size of the land
def c10, 0, 1, 0, 0
dcl_position v0
dcl_position o0
dcl_texcoord0 o1
mul r0, v0, c4.x
mov r0.yw, c10.xxxy
mov o1, r0
m4x4 o0, r0, c0
