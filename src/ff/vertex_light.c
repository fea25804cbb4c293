/* Vertex lighting in eye space (reference: light/sum).
 * Tested by tests/unit/ff/test_lighting.c. */
#include "ff/vertex_code.h"

/* Terms of one light for one vertex. */
struct light_terms {
    struct vm_src direction; /* unit, from the vertex to the light */
    struct vm_src strength;  /* attenuation * spot factor, replicated */
    bool attenuated;         /* otherwise strength is 1 and absent */
};

/* Sums over the lights, without the material. */
struct light_sums {
    struct vm_src ambient, diffuse, specular;
};

static unsigned light_const(unsigned light, unsigned field)
{
    return VC_LIGHT + light * VC_LIGHT_SIZE + field;
}

/* 1 / (a0 + a1 d + a2 d^2) within the range, 0 beyond. */
static struct vm_src attenuation(struct vm_builder *b, unsigned light, struct vm_src d,
                                 struct vm_src d2)
{
    unsigned c = light_const(light, VC_L_ATTENUATION);
    struct vm_src sum = scalar3(b, VM_OP_MAD, d, const_component(c, 1), const_component(c, 0));
    struct vm_src range = const_component(light_const(light, VC_L_POSITION), 3);

    sum = scalar3(b, VM_OP_MAD, d2, const_component(c, 2), sum);
    return scalar2(b, VM_OP_MUL, scalar1(b, VM_OP_RCP, sum), scalar2(b, VM_OP_SGE, range, d2));
}

/* 1 inside the inner cone, 0 outside the outer one, falloff between. The comparison matters where a
 * falloff of 0 would turn 0 into 1. */
static struct vm_src spot_factor(struct vm_builder *b, unsigned light, struct vm_src direction)
{
    unsigned c = light_const(light, VC_L_SPOT);
    struct vm_src axis = vm_build_const(light_const(light, VC_L_DIRECTION));
    struct vm_src rho = scalar2(b, VM_OP_DP3, vm_neg(direction), axis);
    struct vm_src inside = scalar2(b, VM_OP_SLT, const_component(c, 0), rho);
    struct vm_src t = vm_build_temp(b);

    vm_emit2(b, VM_OP_SUB, vm_to(t, VM_MASK_X), rho, const_component(c, 0));
    vm_emit2(b, VM_OP_MUL, vm_saturated(vm_to(t, VM_MASK_X)), t, const_component(c, 1));
    t = scalar2(b, VM_OP_POW, component(t, 0), const_component(c, 2));
    return scalar2(b, VM_OP_MUL, t, inside);
}

static void light_geometry(struct vertex_code *c, unsigned light, struct light_terms *out)
{
    struct vm_builder *b = c->b;
    struct vm_src to_light, d2, inverse, d;

    if (c->key->light[light] == D3DLIGHT_DIRECTIONAL) {
        out->direction = vm_build_const(light_const(light, VC_L_DIRECTION));
        out->attenuated = false;
        return;
    }
    to_light =
        emit2(b, VM_OP_SUB, VM_MASK_XYZ, vm_build_const(light_const(light, VC_L_POSITION)), c->eye);
    d2 = scalar2(b, VM_OP_DP3, to_light, to_light);
    inverse = scalar1(b, VM_OP_RSQ, d2);
    d = scalar2(b, VM_OP_MUL, d2, inverse);
    out->direction = emit2(b, VM_OP_MUL, VM_MASK_XYZ, to_light, inverse);
    out->attenuated = true;
    out->strength = attenuation(b, light, d, d2);
    if (c->key->light[light] == D3DLIGHT_SPOT)
        out->strength = scalar2(b, VM_OP_MUL, out->strength, spot_factor(b, light, out->direction));
}

static struct vm_src scaled(struct vm_builder *b, const struct light_terms *terms, struct vm_src x)
{
    return terms->attenuated ? scalar2(b, VM_OP_MUL, x, terms->strength) : x;
}

/* (half vector . normal)^power; 0 if the light is behind the surface, whatever the power
 * (reference: light/specular). */
static struct vm_src specular_factor(struct vertex_code *c, const struct light_terms *terms,
                                     struct vm_src n_dot_l)
{
    struct vm_builder *b = c->b;
    struct vm_src zero = splat(b, 0.0f);
    struct vm_src to_eye =
        c->key->local_viewer ? vm_neg(c->to_vertex) : vm_build_literal(b, 0.0f, 0.0f, -1.0f, 0.0f);
    struct vm_src half = emit2(b, VM_OP_ADD, VM_MASK_XYZ, terms->direction, to_eye);
    struct vm_src n_dot_h, gate, power;

    half = emit1(b, VM_OP_NRM, VM_MASK_XYZ, half);
    n_dot_h = scalar2(b, VM_OP_DP3, c->normal, half);
    gate = scalar2(b, VM_OP_MUL, scalar2(b, VM_OP_SLT, zero, n_dot_l),
                   scalar2(b, VM_OP_SLT, zero, n_dot_h));
    power = scalar2(b, VM_OP_POW, n_dot_h, const_component(VC_MISC, 2));
    return scaled(b, terms, scalar2(b, VM_OP_MUL, power, gate));
}

static void add_light(struct vertex_code *c, unsigned light, struct light_sums *sums)
{
    struct vm_builder *b = c->b;
    struct light_terms terms;
    struct vm_src n_dot_l, k;

    light_geometry(c, light, &terms);
    k = terms.attenuated ? terms.strength : splat(b, 1.0f);
    sums->ambient = emit3(b, VM_OP_MAD, VM_MASK_XYZ,
                          vm_build_const(light_const(light, VC_L_AMBIENT)), k, sums->ambient);
    if (!c->key->normal)
        return;
    n_dot_l = scalar2(b, VM_OP_DP3, c->normal, terms.direction);
    k = scaled(b, &terms, scalar2(b, VM_OP_MAX, n_dot_l, splat(b, 0.0f)));
    sums->diffuse = emit3(b, VM_OP_MAD, VM_MASK_XYZ,
                          vm_build_const(light_const(light, VC_L_DIFFUSE)), k, sums->diffuse);
    if (!c->key->lit_specular)
        return;
    k = specular_factor(c, &terms, n_dot_l);
    sums->specular = emit3(b, VM_OP_MAD, VM_MASK_XYZ,
                           vm_build_const(light_const(light, VC_L_SPECULAR)), k, sums->specular);
}

static struct vm_src material_colour(struct vertex_code *c, enum ff_source source)
{
    switch (c->key->source[source]) {
    case D3DMCS_COLOR1:
        return vm_build_input(c->b, VM_USAGE_COLOR, 0);
    case D3DMCS_COLOR2:
        return vm_build_input(c->b, VM_USAGE_COLOR, 1);
    default:
        return vm_build_const(VC_MATERIAL + source);
    }
}

void vertex_code_light(struct vertex_code *c)
{
    struct vm_builder *b = c->b;
    struct vm_src zero = splat(b, 0.0f);
    struct light_sums sums = {vm_build_const(VC_AMBIENT), zero, zero};
    struct vm_dst colour = vm_saturated(vm_build_output(b, VM_USAGE_COLOR, 0));
    struct vm_src diffuse = material_colour(c, FF_DIFFUSE), specular, sum;

    for (unsigned i = 0; i < c->key->n_lights; i++)
        add_light(c, i, &sums);

    sum = emit3(b, VM_OP_MAD, VM_MASK_XYZ, material_colour(c, FF_AMBIENT), sums.ambient,
                material_colour(c, FF_EMISSIVE));
    vm_emit3(b, VM_OP_MAD, vm_mask(colour, VM_MASK_XYZ), diffuse, sums.diffuse, sum);
    vm_emit1(b, VM_OP_MOV, vm_mask(colour, VM_MASK_W), diffuse);
    if (!c->key->lit_specular)
        return;
    colour = vm_saturated(vm_build_output(b, VM_USAGE_COLOR, 1));
    specular = material_colour(c, FF_SPECULAR);
    vm_emit2(b, VM_OP_MUL, vm_mask(colour, VM_MASK_XYZ), specular, sums.specular);
    vm_emit1(b, VM_OP_MOV, vm_mask(colour, VM_MASK_W), specular);
}
