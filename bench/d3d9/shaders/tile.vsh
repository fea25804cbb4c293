vs_2_0
// c0 position and size, c1 colour, c2 position and size in the texture
dcl_position v0
mad r0.xy, v0, c0.zwzw, c0
mov r0.zw, v0
mov oPos, r0
mov oD0, c1
mad oT0.xy, v0, c2.zwzw, c2
