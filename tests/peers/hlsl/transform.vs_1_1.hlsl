// vs_1_1
float4x4 world_view_projection;
float4 tint;

void main(float4 position : POSITION, float2 uv : TEXCOORD0, out float4 out_position : POSITION,
          out float4 colour : COLOR0, out float2 out_uv : TEXCOORD0)
{
    out_position = mul(position, world_view_projection);
    colour = tint * 0.5;
    out_uv = uv;
}
