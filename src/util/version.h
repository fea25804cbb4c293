/* Version of the program, which images and reports state. */
#ifndef UTIL_VERSION_H
#define UTIL_VERSION_H

#define NOVEM_VERSION "1.0"
/* Increases if the same calls give other pixels than before. Changes of performance do not affect
 * it. */
#define NOVEM_NUMERICS "2"

#endif
