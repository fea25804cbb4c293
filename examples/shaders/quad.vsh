vs_3_0
// Full-screen quad. c0.xy half a pixel in clip space, c1 … c3 right, up and forward of the view: their sum
// is the ray of a pixel, of length 1 along the view axis
dcl_position v0
dcl_texcoord0 v1
dcl_position o0
dcl_texcoord0 o1.xy
dcl_texcoord1 o2.xyz
add o0, v0, c0
mov o1.xy, v1
mov r0.xyz, c3
mad r0.xyz, c1, v0.x, r0
mad r0.xyz, c2, v0.y, r0
mov o2.xyz, r0
