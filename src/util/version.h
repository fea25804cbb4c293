/* Program version that images and reports state. */
#ifndef UTIL_VERSION_H
#define UTIL_VERSION_H

#define NOVEM_VERSION "1.0"
/* Increases when the same calls give other pixels than before; performance changes do not affect
 * it. */
#define NOVEM_NUMERICS "1"

#endif
