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
/* Finds a state by name: "D3DRS_ZFUNC", "ZFUNC", in any case. *name (static) is the short one. False:
 * there is no such state. */
bool inspect_state_find(enum inspect_state_kind kind, const char *text, uint32_t *state,
                        const char **name);
/* Reads a value of a state: names as in d3d9types.h or without their prefixes, in any case, joined
 * by "|"; a number; a floating-point number for a state that is one, whose bits follow 0x. False:
 * the text is none of them. */
bool inspect_state_value_parse(const char *state, const char *text, uint32_t *value);
/* Lists the names of a state's values without prefixes: "NEVER, LESS"; "" if it is a number. */
void inspect_state_value_list(char *out, size_t size, const char *state);
/* Name of a D3DPRIMITIVETYPE or a D3DSWAPEFFECT; NULL: unknown. */
const char *inspect_primitive_name(uint32_t type);
const char *inspect_swap_effect_name(uint32_t effect);
/* Name of a D3DDECLTYPE; NULL: unknown. */
const char *inspect_decl_type_name(uint32_t type);
const char *inspect_decl_method_name(uint32_t method);

#endif
