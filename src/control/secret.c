/* Random numbers of the system as text. */
#include "control/secret.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>

/* RtlGenRandom, which has no name of its own in the dll. */
static bool fill(uint8_t *bits, unsigned long n)
{
    HMODULE dll = LoadLibraryA("advapi32.dll");
    BOOLEAN(WINAPI * generate)(void *, ULONG);
    bool good;

    if (!dll)
        return false;
    generate = (__typeof__(generate))(void *)GetProcAddress(dll, "SystemFunction036");
    good = generate && generate(bits, n);
    FreeLibrary(dll);
    return good;
}
#else
#include <sys/random.h>
#include <unistd.h> /* musl declares getentropy there */

static bool fill(uint8_t *bits, unsigned long n)
{
    return getentropy(bits, n) == 0;
}
#endif

bool secret_make(char out[SECRET_BYTES])
{
    uint8_t bits[(SECRET_BYTES - 1) / 2];

    if (!fill(bits, sizeof(bits)))
        return false;
    for (size_t i = 0; i < sizeof(bits); i++)
        snprintf(out + 2 * i, 3, "%02x", bits[i]);
    return true;
}

bool secret_is(const char secret[SECRET_BYTES], const char *text)
{
    unsigned difference = 0;

    if (strlen(text) != SECRET_BYTES - 1)
        return false;
    for (unsigned i = 0; i < SECRET_BYTES - 1; i++)
        difference |= (unsigned)(secret[i] ^ text[i]);
    return !difference;
}
