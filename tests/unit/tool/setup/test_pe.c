/* Headers of PE files: what is read, and what damaged files give. */
#include "check_main.h"

#include "tool/setup/pe.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 64, OPTIONAL = HEADER + 24, START = 0x400, SECTION = 0x1000, BASE = 0x400000 };
static uint8_t file[2048];

static void put16(size_t at, unsigned value)
{
    file[at] = value & 255;
    file[at + 1] = value >> 8 & 255;
}

static void put32(size_t at, uint32_t value)
{
    put16(at, value & 0xffff);
    put16(at + 2, value >> 16);
}

/* A program with one section at SECTION, whose bytes begin at START of the file. */
static void make(unsigned machine, bool wide)
{
    size_t directories = OPTIONAL + (wide ? 108 : 92), table = directories + 4 + 16 * 8;

    memset(file, 0, sizeof(file));
    memcpy(file, "MZ", 2);
    put32(60, HEADER);
    memcpy(file + HEADER, "PE\0\0", 4);
    put16(HEADER + 4, machine);
    put16(HEADER + 6, 1);
    put16(HEADER + 20, (unsigned)(table - OPTIONAL));
    put16(HEADER + 22, 2);
    put16(OPTIONAL, wide ? 0x20b : 0x10b);
    put32(OPTIONAL + (wide ? 24 : 28), BASE);
    put32(directories, 16);
    put32(table + 12, SECTION);
    put32(table + 16, sizeof(file) - START);
    put32(table + 20, START);
}

static void set_directory(bool wide, unsigned index, uint32_t address)
{
    put32(OPTIONAL + (wide ? 112 : 96) + 8 * (size_t)index, address);
}

/* Puts a text with two bytes a letter. */
static size_t put_wide(size_t at, const char *text)
{
    for (size_t i = 0; i <= strlen(text); i++)
        put16(at + 2 * i, (unsigned char)text[i]);
    return at + 2 * (strlen(text) + 1);
}

static void put_imports(bool wide)
{
    put32(START + 12, SECTION + 0x100);
    put32(START + 20 + 12, SECTION + 0x120);
    memcpy(file + START + 0x100, "KERNEL32.dll", 13);
    memcpy(file + START + 0x120, "D3D9.DLL", 9);
    set_directory(wide, 1, SECTION);
}

START_TEST(the_processor_is_read)
{
    struct pe pe;

    make(PE_X86, false);
    ck_assert_ptr_null(pe_open(&pe, file, sizeof(file)));
    ck_assert_uint_eq(pe.machine, PE_X86);
    ck_assert(!pe.is_dll && !pe.is_managed);
    make(PE_X86_64, true);
    put16(HEADER + 22, 0x2002);
    set_directory(true, 14, SECTION);
    ck_assert_ptr_null(pe_open(&pe, file, sizeof(file)));
    ck_assert_uint_eq(pe.machine, PE_X86_64);
    ck_assert(pe.is_dll && pe.is_managed);
    make(0xaa64, true);
    ck_assert_ptr_null(pe_open(&pe, file, sizeof(file)));
    ck_assert_str_eq(pe_machine(&pe), "ARM64");
    make(0x1234, true);
    ck_assert_ptr_null(pe_open(&pe, file, sizeof(file)));
    ck_assert_str_eq(pe_machine(&pe), "processor 0x1234");
}
END_TEST

START_TEST(other_files_are_named)
{
    struct pe pe;

    make(PE_X86, false);
    memcpy(file + HEADER, "NE", 2);
    ck_assert_str_eq(pe_open(&pe, file, sizeof(file)), "a 16-bit program");
    memcpy(file + HEADER, "??", 2);
    ck_assert_str_eq(pe_open(&pe, file, sizeof(file)), "a program for DOS");
    memcpy(file, "\177ELF", 4);
    ck_assert_str_eq(pe_open(&pe, file, sizeof(file)), "a program for Linux");
    ck_assert_str_eq(pe_open(&pe, file, 0), "not a Windows program");
    make(PE_X86, false);
    put32(60, 0xfffffff0);
    ck_assert_str_eq(pe_open(&pe, file, sizeof(file)), "a program for DOS");
}
END_TEST

START_TEST(imports_are_listed)
{
    struct pe pe;

    for (int wide = 0; wide < 2; wide++) {
        make(wide ? PE_X86_64 : PE_X86, wide);
        put_imports(wide);
        memcpy(file + START + 0x140, "late.dll", 9);
        memcpy(file + START + 0x160, "old.dll", 8);
        set_directory(wide, 13, SECTION + 0x200);
        put32(START + 0x200, 1); /* an address relative to the image */
        put32(START + 0x204, SECTION + 0x140);
        put32(START + 0x224, BASE + SECTION + 0x160); /* an address in memory */
        ck_assert_ptr_null(pe_open(&pe, file, sizeof(file)));
        ck_assert_str_eq(pe_import(&pe, 0), "KERNEL32.dll");
        ck_assert_str_eq(pe_import(&pe, 1), "D3D9.DLL");
        ck_assert_str_eq(pe_import(&pe, 2), "late.dll");
        ck_assert_str_eq(pe_import(&pe, 3), "old.dll");
        ck_assert_ptr_null(pe_import(&pe, 4));
        ck_assert(pe_imports(&pe, "d3d9.dll") && !pe_imports(&pe, "d3d8.dll"));
    }
}
END_TEST

START_TEST(texts_of_the_version_are_read)
{
    char text[16];
    struct pe pe;
    size_t end;

    make(PE_X86, false);
    put16(HEADER + 22, 0x2002);
    ck_assert_ptr_null(pe_open(&pe, file, sizeof(file)));
    ck_assert(!pe_is_novem(&pe));
    put_wide(START + 0x300, "InternalName");
    end = put_wide(START + 0x31a + 2, "d3d9"); /* one zero aligns the value */
    put_wide(START + 0x340, "ProductName");
    end = put_wide(START + 0x358, "Novem");
    ck_assert_uint_lt(end, sizeof(file));
    ck_assert(pe_is_novem(&pe));
    ck_assert(pe_version_text(&pe, "ProductName", text, 4));
    ck_assert_str_eq(text, "Nov");
    ck_assert(!pe_version_text(&pe, "ProductVersion", text, sizeof(text)));
    put_wide(START + 0x358, "Noven");
    ck_assert(!pe_is_novem(&pe));
    put_wide(START + 0x358, "Novem");
    put16(HEADER + 22, 2); /* a program */
    ck_assert_ptr_null(pe_open(&pe, file, sizeof(file)));
    ck_assert(!pe_is_novem(&pe));
}
END_TEST

/* Every cut of a file, and every byte changed to the values that reach furthest. */
START_TEST(damaged_files_are_read_within_their_bytes)
{
    static const uint8_t values[] = {0, 0x7f, 0xff};
    uint8_t *copy;
    struct pe pe;

    make(PE_X86, false);
    put_imports(false);
    put_wide(sizeof(file) - 24, "ProductName");
    for (size_t n = 0; n <= sizeof(file); n += n < START ? 1 : 17) {
        copy = malloc(n ? n : 1); /* the size of the block, so that tools find a read behind it */
        ck_assert_ptr_nonnull(copy);
        memcpy(copy, file, n);
        if (!pe_open(&pe, copy, n)) {
            pe_imports(&pe, "x.dll");
            pe_is_novem(&pe);
        }
        free(copy);
    }
    for (size_t i = 0; i < START + 64; i++)
        for (size_t v = 0; v < sizeof(values); v++) {
            uint8_t old = file[i];

            file[i] = values[v];
            if (!pe_open(&pe, file, sizeof(file)))
                pe_imports(&pe, "x.dll");
            file[i] = old;
        }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("pe");
    TCase *t = tcase_create("pe");

    tcase_add_test(t, the_processor_is_read);
    tcase_add_test(t, other_files_are_named);
    tcase_add_test(t, imports_are_listed);
    tcase_add_test(t, texts_of_the_version_are_read);
    tcase_add_test(t, damaged_files_are_read_within_their_bytes);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
