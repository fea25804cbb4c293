vs_3_0
// Sky dome around the eye on the far plane. c0-3 view (rotation only) * projection
dcl_position v0
dcl_position o0
dcl_texcoord0 o1
m4x4 r0, v0, c0
mov o0, r0.xyww
mov o1, v0
