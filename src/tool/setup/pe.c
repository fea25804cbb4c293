/* Headers of PE files. Offsets are those of Microsoft's "PE Format". */
#include "tool/setup/pe.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
    DOS_BYTES = 64,
    SECTION_BYTES = 40,
    IMPORT_BYTES = 20,
    DELAY_BYTES = 32,
    DIRECTORY_IMPORT = 1,
    DIRECTORY_DELAY = 13,
    DIRECTORY_MANAGED = 14,
    IMPORTS_MOST = 4096
};

static uint32_t read16(const struct pe *pe, size_t at)
{
    return at <= pe->n && pe->n - at >= 2 ? pe->bytes[at] | (uint32_t)pe->bytes[at + 1] << 8 : 0;
}

static uint32_t read32(const struct pe *pe, size_t at)
{
    return read16(pe, at) | read16(pe, at + 2) << 16;
}

/* The address of a table of the optional header; 0: there is none. */
static uint32_t directory(const struct pe *pe, size_t optional, bool wide, unsigned index)
{
    size_t count_at = optional + (wide ? 108 : 92);

    return index < read32(pe, count_at) ? read32(pe, count_at + 4 + 8 * (size_t)index) : 0;
}

/* What a file without a PE header is. */
static const char *other_file(const uint8_t *bytes, size_t n, size_t header)
{
    if (n < DOS_BYTES || bytes[0] != 'M' || bytes[1] != 'Z')
        return n >= 4 && !memcmp(bytes, "\177ELF", 4) ? "a program for Linux"
                                                      : "not a Windows program";
    if (n - 2 >= header && !memcmp(bytes + header, "NE", 2))
        return "a 16-bit program";
    return "a program for DOS";
}

const char *pe_open(struct pe *out, const uint8_t *bytes, size_t n)
{
    struct pe pe = {.bytes = bytes, .n = n};
    size_t header = read32(&pe, 60), optional = header + 24;
    uint32_t magic = read16(&pe, optional);
    bool wide = magic == 0x20b;

    if (n < DOS_BYTES || bytes[0] != 'M' || bytes[1] != 'Z' || n < header || n - header < 96 ||
        memcmp(bytes + header, "PE\0\0", 4) || (magic != 0x10b && !wide))
        return other_file(bytes, n, header);
    pe.machine = (uint16_t)read16(&pe, header + 4);
    pe.section_count = read16(&pe, header + 6);
    pe.sections = optional + read16(&pe, header + 20);
    pe.is_dll = read16(&pe, header + 22) & 0x2000;
    pe.base = read32(&pe, optional + (wide ? 24 : 28));
    pe.imports = directory(&pe, optional, wide, DIRECTORY_IMPORT);
    pe.delay_imports = directory(&pe, optional, wide, DIRECTORY_DELAY);
    pe.is_managed = directory(&pe, optional, wide, DIRECTORY_MANAGED) != 0;
    *out = pe;
    return NULL;
}

const char *pe_machine(const struct pe *pe)
{
    static const struct {
        uint16_t number;
        const char *name;
    } machines[] = {{PE_X86, "x86"},     {PE_X86_64, "x86-64"}, {0xaa64, "ARM64"},
                    {0x01c0, "ARM"},     {0x01c2, "ARM"},       {0x01c4, "ARM"},
                    {0x0200, "Itanium"}, {0x0184, "Alpha"},     {0x0166, "MIPS"},
                    {0x01f0, "PowerPC"}, {0x01a2, "SH-3"},      {0x01a6, "SH-4"},
                    {0x5064, "RISC-V"},  {0x6264, "LoongArch"}, {0xa641, "ARM64EC"}};
    static char other[24];

    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
        if (machines[i].number == pe->machine)
            return machines[i].name;
    snprintf(other, sizeof(other), "processor 0x%04x", pe->machine);
    return other;
}

/* Offset in the file of an address relative to the image; SIZE_MAX if no section holds it. */
static size_t offset_of(const struct pe *pe, uint32_t address)
{
    for (unsigned i = 0; i < pe->section_count; i++) {
        size_t at = pe->sections + (size_t)i * SECTION_BYTES;
        uint32_t start = read32(pe, at + 12), bytes = read32(pe, at + 16);

        if (address >= start && address - start < bytes)
            return (size_t)read32(pe, at + 20) + (address - start);
    }
    return SIZE_MAX;
}

/* The zero-terminated text at an address; NULL if it does not end within the file. */
static const char *text_at(const struct pe *pe, uint32_t address)
{
    size_t at = address ? offset_of(pe, address) : SIZE_MAX;

    return at < pe->n && memchr(pe->bytes + at, 0, pe->n - at) ? (const char *)pe->bytes + at
                                                               : NULL;
}

static const char *imported(const struct pe *pe, unsigned index)
{
    size_t at = pe->imports ? offset_of(pe, pe->imports) : SIZE_MAX;

    return at < pe->n ? text_at(pe, read32(pe, at + (size_t)index * IMPORT_BYTES + 12)) : NULL;
}

/* Entries of old linkers (bit 0 of the first word is 0) have addresses in memory. */
static const char *delayed(const struct pe *pe, unsigned index)
{
    size_t at = pe->delay_imports ? offset_of(pe, pe->delay_imports) : SIZE_MAX;
    uint32_t name;

    if (at >= pe->n)
        return NULL;
    at += (size_t)index * DELAY_BYTES;
    name = read32(pe, at + 4);
    return text_at(pe, read32(pe, at) & 1 || name < pe->base ? name : name - pe->base);
}

const char *pe_import(const struct pe *pe, unsigned index)
{
    unsigned i = 0;

    if (index >= IMPORTS_MOST)
        return NULL;
    for (; i <= index; i++) {
        const char *name = imported(pe, i);

        if (!name)
            break;
        if (i == index)
            return name;
    }
    return delayed(pe, index - i);
}

bool pe_imports(const struct pe *pe, const char *dll)
{
    const char *name;

    for (unsigned i = 0; (name = pe_import(pe, i)); i++)
        if (!strcasecmp(name, dll))
            return true;
    return false;
}

/* A text of the resource is its name in UTF-16 with a zero, up to one more zero to align, and its
 * value in the same form. */
bool pe_version_text(const struct pe *pe, const char *key, char *out, size_t size)
{
    uint8_t name[64];
    size_t bytes = 2 * (strlen(key) + 1), used = 0;
    const uint8_t *found;
    size_t at;

    if (bytes > sizeof(name))
        return false;
    for (size_t i = 0; i < bytes; i++)
        name[i] = i & 1 ? 0 : (uint8_t)key[i / 2];
    found = memmem(pe->bytes, pe->n, name, bytes);
    if (!found)
        return false;
    at = (size_t)(found - pe->bytes) + bytes;
    if (!read16(pe, at))
        at += 2;
    for (uint32_t c; used + 1 < size && (c = read16(pe, at)); at += 2)
        out[used++] = c >= 32 && c < 127 ? (char)c : '?';
    out[used] = '\0';
    return used != 0;
}

bool pe_is_novem(const struct pe *pe)
{
    char product[16], name[16];

    return pe->is_dll && pe_version_text(pe, "ProductName", product, sizeof(product)) &&
           pe_version_text(pe, "InternalName", name, sizeof(name)) && !strcmp(product, "Novem") &&
           !strcmp(name, "d3d9");
}
