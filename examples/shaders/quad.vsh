vs_3_0
// The whole target. c0.xy half a pixel in clip space, c1 … c3 the view's right, up and forward: their sum
// is the ray of a pixel, 1 long along the view
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
