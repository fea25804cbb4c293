vs_2_0
// c0-3 world * view * projection, c4-6 world (three columns), c7 x: height of the displacement
// v3 is what the displacement map holds at the vertex; the tessellator has looked it up
dcl_position v0
dcl_normal v1
dcl_texcoord0 v2
dcl_sample0 v3
mul r1.xyz, v1, c7.x
mul r1.xyz, r1, v3.x
add r0.xyz, v0, r1
mov r0.w, v0.w
m4x4 oPos, r0, c0
m4x3 r2.xyz, r0, c4
mov oT1.xyz, r2
mov oT2.xyz, c4
mov oT3.xyz, c5
mov oT4.xyz, c6
mov oT0.xy, v2
