// vs_3_0
float4x4 m;

float4 main(float4 position : POSITION, float4 more : NORMAL2, out float4 out_more : TEXCOORD7) : POSITION
{
    out_more = more * 2 - position;
    return mul(m, position);
}
