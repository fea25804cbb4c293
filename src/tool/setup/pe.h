/* Reads what matters of a Windows program or dll: its processor, its imports, its version. */
#ifndef TOOL_SETUP_PE_H
#define TOOL_SETUP_PE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PE_X86 = 0x014c, PE_X86_64 = 0x8664 };

/* Points into bytes of the caller, which must outlive it. */
struct pe {
    const uint8_t *bytes;
    size_t n;
    uint16_t machine; /* PE_X86, PE_X86_64 or another number of the format */
    bool is_dll;
    bool is_managed; /* has a .NET header */
    size_t sections; /* offset of the section table */
    unsigned section_count;
    uint32_t base;                   /* low 32 bits of the address that the file prefers */
    uint32_t imports, delay_imports; /* addresses of the tables, relative to the image; 0: none */
};

/* Returns NULL, or what the file is instead of a Windows program or dll ("a 16-bit program"). */
const char *pe_open(struct pe *out, const uint8_t *bytes, size_t n);
/* "x86-64", "ARM64", ...; a number for a processor without a name, in a static buffer. */
const char *pe_machine(const struct pe *pe);
/* Returns the name of the index-th imported dll, those of delayed imports included; NULL after the
 * last one and where the table is damaged. */
const char *pe_import(const struct pe *pe, unsigned index);
/* Whether the file imports the dll of this name; case does not matter. */
bool pe_imports(const struct pe *pe, const char *dll);
/* Reads a text of the version resource, such as "ProductVersion"; other characters than ASCII
 * become '?'. Returns false if there is none. */
bool pe_version_text(const struct pe *pe, const char *key, char *out, size_t size);
/* Whether the file is a d3d9.dll of Novem, by its version resource. */
bool pe_is_novem(const struct pe *pe);

#endif
