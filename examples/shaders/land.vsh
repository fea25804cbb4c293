vs_3_0
// Height field on a grid in 0 … 1; heights come from a vertex texture with one texel per vertex.
// c0-3 view * projection, c4 (size of the land, height, 1 / texels, half a texel), c5 eye
def c10, 0, 1, 2, 0.5
dcl_position v0
dcl_2d s0
dcl_position o0
dcl_texcoord0 o1        // world position
dcl_texcoord1 o2        // normal
dcl_texcoord2 o3.xy     // position on the map
mad r0.xy, v0.xzzw, c4.z, c4.w
mov r0.zw, c10.x
texldl r1, r0, s0
// Gradients from the neighbours
add r2, r0, c6.xyyy
texldl r2, r2, s0
add r3, r0, -c6.xyyy
texldl r3, r3, s0
add r4, r0, c6.yxyy
texldl r4, r4, s0
add r5, r0, -c6.yxyy
texldl r5, r5, s0
add r6.x, r3.x, -r2.x
add r6.z, r5.x, -r4.x
mov r6.y, c6.z
nrm r7.xyz, r6
mov r7.w, c10.y
mov o2, r7
mul r8.xz, v0, c4.x
mul r8.y, r1.x, c4.y
mov r8.w, c10.y
mov o1, r8
mov o3.xy, r0
m4x4 o0, r8, c0
