/* Embeds files as read-only bytes: in ELF, in Windows' PE, and in macOS's Mach-O. */
#ifndef UTIL_EMBED_H
#define UTIL_EMBED_H

#if defined(_WIN32)
#define EMBED_SECTION ".section .rdata,\"dr\"\n"
#elif defined(__APPLE__)
#define EMBED_SECTION ".section __TEXT,__const\n"
/* The linker may move what follows a symbol away from what precedes it, except at such a one. A
 * byte keeps the symbol inside. */
#define EMBED_END(name) ".alt_entry " #name "_end\n" #name "_end:\n.byte 0\n"
#else
#define EMBED_SECTION ".section .rodata\n"
#endif
#ifndef EMBED_END
#define EMBED_END(name) #name "_end:\n"
#endif

#define EMBED_WITH(name, path, tail)                                                               \
    __asm__(EMBED_SECTION #name ":\n.incbin \"" path "\"\n" EMBED_END(name) tail ".text\n")

/* The file's bytes become name[] up to name_end, in the whole program. path: from the folder where
 * the compiler runs; the Makefile lists it as a dependency. */
#define EMBED(name, path)                                                                          \
    EMBED_WITH(name, path, "");                                                                    \
    extern const char name[] __asm__(#name), name##_end[] __asm__(#name "_end")
/* The same with a 0 at name_end: the file is a text. */
#define EMBED_TEXT(name, path)                                                                     \
    EMBED_WITH(name, path, ".byte 0\n");                                                           \
    extern const char name[] __asm__(#name)

#endif
