/* Names of the values of states: D3DCULL_CCW for CULLMODE. */
#ifndef TOOL_INSPECT_STATE_NAMES_H
#define TOOL_INSPECT_STATE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STATE_NAME_BYTES = 128, STATE_TEXT_BYTES = 192 };

/* Describes a value of a render, stage or sampler state by the names in d3d9types.h, such as
 * "D3DTA_TEXTURE|D3DTA_COMPLEMENT". False if the state is a number, or the value has no name. */
bool inspect_state_value_name(char out[STATE_NAME_BYTES], const char *state, uint32_t value);
/* Describes a state and its value: "D3DRS_CULLMODE = D3DCULL_CCW". False: there is no such state.
 */
enum inspect_state_kind { INSPECT_RENDER_STATE, INSPECT_STAGE_STATE, INSPECT_SAMPLER_STATE };
bool inspect_state_describe(char out[STATE_TEXT_BYTES], enum inspect_state_kind kind,
                            uint32_t state, uint32_t value);
/* Name of a D3DPRIMITIVETYPE or a D3DSWAPEFFECT; NULL: unknown. */
const char *inspect_primitive_name(uint32_t type);
const char *inspect_swap_effect_name(uint32_t effect);
/* Name of a D3DDECLTYPE; NULL: unknown. */
const char *inspect_decl_type_name(uint32_t type);
const char *inspect_decl_method_name(uint32_t method);

#endif
