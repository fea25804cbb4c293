// ps_2_0
float4 tint;
float4 limits;

float4 main(float4 colour : COLOR0, float4 coordinate : TEXCOORD1) : COLOR
{
    return min(colour * tint, limits) + coordinate / 4.0;
}
