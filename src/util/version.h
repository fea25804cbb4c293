/* What pictures and reports say of the program that made them. */
#ifndef UTIL_VERSION_H
#define UTIL_VERSION_H

#define NOVEM_VERSION "1.0"
/* Grows when the same calls give other pixels than before; speed never moves it. */
#define NOVEM_NUMERICS "1"

#endif
