// ps_3_0
float4 rows[3];

float4 main(float4 coordinate : TEXCOORD3, float4 colour : COLOR1) : COLOR
{
    float2x2 m = float2x2(rows[0].xy, rows[1].zw);
    float4 r = float4(mul(m, coordinate.xy), -coordinate.z, 1 / colour.w);

    r *= rows[2];
    return r / 3.0 + min(colour, coordinate);
}
