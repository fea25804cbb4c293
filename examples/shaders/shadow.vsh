vs_3_0
// c0-3 world * view * projection of the sun
dcl_position v0
dcl_position o0
dcl_texcoord0 o1
m4x4 r0, v0, c0
mov o0, r0
mov o1, r0
