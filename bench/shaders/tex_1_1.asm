; ps_1_1: texture, light map and detail map, vertex colour, specular added.
ps_1_1
def c0, 0.5, 0.5, 0.5, 1
tex t0
tex t1
tex t2
mul r0.rgb, t0, v0
+ mul r0.a, t0, v0
mul_x2 r0.rgb, r0, t1
mad_x2 r0.rgb, r0, t2, -c0
add_sat r0.rgb, r0, v1
