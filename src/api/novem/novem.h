/* Functions of libnovem beside those of Direct3D 9: version, settings, log, and hashes of surfaces.
 *
 * All functions may be called from any thread. Strings are UTF-8 and end with a zero byte. Strings
 * that the library returns belong to it and stay valid until the process ends. The library copies
 * strings that it receives. */
#ifndef API_NOVEM_NOVEM_H
#define API_NOVEM_NOVEM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Number of the interface that this header describes. It rises by one when functions are added. */
#define NOVEM_INTERFACE 1

/* A function that can fail returns one of these; novem_result_text has its text. */
enum novem_result {
    NOVEM_OK = 0,
    NOVEM_INVALID_ARGUMENT = -1, /* NULL, or a surface whose pixels cannot be read */
    NOVEM_UNKNOWN_SETTING = -2,
    NOVEM_INVALID_VALUE = -3,
    NOVEM_TOO_LATE = -4, /* the settings have been read */
    NOVEM_OUT_OF_MEMORY = -5,
    NOVEM_FAILED = -6 /* Direct3D refused; the log has the reason */
};

/* Returns a static English text for every number. */
const char *novem_result_text(int result);

/* --- Version ---------------------------------------------------------------------------------- */

/* The version of the library, "0.9.0". */
const char *novem_version(void);
/* The numerics version. Libraries of the same numerics version draw the same pixels. */
unsigned novem_numerics_version(void);
/* Number of the interface that the library has: NOVEM_INTERFACE of its own header. */
unsigned novem_interface(void);

/* --- Settings --------------------------------------------------------------------------------- */

/* Sets a setting, as a line `name = value` of novem.conf would. It is the default of the program:
 * novem.conf and the environment override it. Call it before the first Direct3DCreate9,
 * Direct3DCreate9Ex and novem_setting, which read the settings. Names and most values are
 * case-insensitive.
 *
 * NOVEM_UNKNOWN_SETTING, NOVEM_INVALID_VALUE, NOVEM_TOO_LATE: nothing has changed. */
int novem_set(const char *name, const char *value);
/* Returns the value in force, or NULL if the setting has no value or does not exist. The first call
 * reads novem.conf and the environment. */
const char *novem_setting(const char *name);

/* --- Log -------------------------------------------------------------------------------------- */

enum novem_log_level { NOVEM_LOG_ERROR = 1, NOVEM_LOG_WARN, NOVEM_LOG_INFO, NOVEM_LOG_DEBUG };

/* Receives a line "novem: part: text" without a line end; `line` is valid during the call. Calls
 * come from all threads of the library, one after another. The callback must not call Direct3D or
 * this library. */
typedef void novem_log_fn(void *context, int level, const char *line);

/* Sends the lines of the log to a callback instead of stderr; NULL restores stderr. When the
 * function returns, the former callback is no longer called. The setting LOG decides which lines
 * there are. */
void novem_set_log(novem_log_fn *callback, void *context);

/* --- Surfaces --------------------------------------------------------------------------------- */

struct IDirect3DSurface9;

/* Computes a 64-bit hash of a surface: the XXH3 hash of its width, height and format, four bytes
 * each with the lowest first, continued with each row from the top as LockRect shows it, without
 * padding; the seed of a row is the hash of what is before it. Compressed formats have rows of
 * blocks. It waits for the draws that change the surface. The hash is the same on every host.
 *
 * NOVEM_INVALID_ARGUMENT: the surface is multisampled, locked, or neither a render target nor
 * lockable. *hash is 0 after an error. The surface must be one of this library. */
int novem_surface_hash(struct IDirect3DSurface9 *surface, uint64_t *hash);

#ifdef __cplusplus
}
#endif

#endif
