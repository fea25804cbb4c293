vs_2_0
// c0-3 view (rotation only) * projection; the dome lies on the far plane
dcl_position v0
m4x4 r0, v0, c0
mov oPos, r0.xyww
mov oT0.xyz, v0
