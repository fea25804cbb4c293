/* Version of the program, which images and reports state. */
#ifndef UTIL_VERSION_H
#define UTIL_VERSION_H

/* Version of the project, as the file VERSION has it: "0.9.0". */
const char *version_text(void);

/* Increases if the same calls give other pixels than before. Changes of performance do not affect
 * it. */
#define NOVEM_NUMERICS "4"

#endif
