/* Main program `novem`: table of subcommands.
 *
 * Tested by tests/golden/unknown_names.sh, tests/tool/streams.sh and tests/tool/help.sh. */
#include "api/api.h"
#include "present/present.h"
#include "record/record.h"
#include "tool/bench/bench.h"
#include "tool/capture/capture.h"
#include "tool/cli/cli.h"
#include "tool/commands.h"
#include "tool/cost/cost.h"
#include "tool/edit/edit.h"
#include "tool/golden/golden.h"
#include "tool/help/help.h"
#include "tool/image/image.h"
#include "tool/image/png.h"
#include "tool/frame/frame.h"
#include "tool/inspect/inspect.h"
#include "tool/mask/mask.h"
#include "tool/serve/serve.h"
#include "tool/setup/setup.h"
#include "tool/shader/shader.h"
#include "tool/trim/trim.h"
#include "tool/view/view.h"
#include "util/fault_injection.h"
#include "util/path.h"
#include "util/standard_streams.h"
#include "util/variant.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int print_help(int argc, char **argv);

static const struct tool_command commands[] = {
    {"replay", "render a capture: a PNG or a hash for every frame", tool_replay},
#ifndef _WIN32
    {"record", "run a program and write its calls as a capture", tool_record},
#endif
    {"compile", "convert a capture to a command stream that replays without its calls",
     tool_compile},
    {"info", "count a capture's frames, draws, shaders and formats", tool_info},
    {"dump", "print the calls of a capture as text", tool_dump},
#ifndef _WIN32
    {"view", "show the frames of a running program from shared memory", tool_view},
#endif
    {"diff", "compare two pictures", tool_diff},
    {"scene", "run a text scene and write its picture", tool_scene},
    {"golden", "compare another Direct3D 9 with golden images", tool_golden},
#ifndef _WIN32
    {"mask", "compute which pixels may differ in a conforming renderer", tool_mask},
#endif
    {"config", "print the settings in force, or describe all settings", tool_config},
#ifndef _WIN32
    {"setup-wine", "make a Windows program use Novem under Wine, or take that back",
     tool_setup_wine},
    {"captures", "replay a folder of captures and compare with their references", tool_captures},
#endif
    {"asm", "assemble a shader", tool_asm},
    {"dis", "disassemble a shader and check it", tool_dis},
    {"run-shader", "run a shader on given inputs, with a trace of its instructions",
     tool_run_shader},
    {"bench", "measure the shader machine: instructions and a corpus of shaders", tool_bench},
    {"cost", "measure what shaders and their instructions cost", tool_cost},
    {"r500", "dump, check or run packets for the Radeon R500", tool_r500},
    {"trim", "cut a capture to a range of frames or to one draw", tool_trim},
    {"edit", "change a draw's shaders, states or constants, or remove calls, in a capture",
     tool_edit},
    {"frame", "write state, pictures, meshes and shaders of a frame's draws", tool_frame},
    {"diff-state", "print the states that differ between two draws", tool_diff_state},
    {"profile", "count and time what draws of a frame and shaders of a capture cost", tool_profile},
#if defined(__linux__) && !defined(NOVEM_STATIC)
    {"inspect", "show the frames of a capture in a browser: a frame debugger", tool_inspect},
#endif
    {"pixel", "print the history of a pixel of a captured frame", tool_pixel},
    {"help", "describe a command; print the man page or a shell's completions", print_help},
};

/* What the programs for Windows (docs/windows.md) and macOS lack, and static ones
 * (docs/binaries.md), which cannot open libraries at run time. */
#ifdef _WIN32
#define BUILD_NAME "novem for Windows"
#elif defined(__APPLE__)
#define BUILD_NAME "novem for macOS"
#else
#define BUILD_NAME "the static novem"
#endif
static const struct {
    const char *name, *instead;
} absent[] = {
#ifdef _WIN32
    {"record", "set NOVEM_RECORD for the program itself; d3d9.dll writes the capture"},
    {"view", "it reads the shared memory of Linux"},
    {"mask", "it needs processes that Windows cannot fork; Linux has it"},
    {"setup-wine", "it serves Wine on Linux; copy d3d9.dll beside the program"},
    {"captures", "it needs processes that Windows cannot fork; `novem replay` replays one capture"},
    {"inspect", "it needs processes that Windows cannot fork; `novem frame` writes the same page"},
#elif defined(__APPLE__)
    {"inspect", "its processes end with their parents, which macOS cannot do; `novem frame` writes "
                "the same page"},
#elif defined(NOVEM_STATIC)
    {"inspect", "it opens a library at run time; `novem frame` writes the same page"},
#endif
    {NULL, NULL},
};

/* Returns false if the word names no such command. */
static bool is_absent(const char *word)
{
    for (size_t i = 0; absent[i].name; i++)
        if (!strcmp(word, absent[i].name)) {
            tool_error(word, "not in " BUILD_NAME ": %s", absent[i].instead);
            return true;
        }
    return false;
}

static const struct tool_commands all = {commands, sizeof(commands) / sizeof(commands[0])};

static int print_help(int argc, char **argv)
{
    return tool_help(&all, argc, argv);
}

/* A comparison with a misspelt fault or variant would test nothing: unlike the library, which
 * warns, `novem` refuses such a name in the environment. Returns an exit code. */
static int check_names(void)
{
    const char *fault = getenv("NOVEM_FAULT"), *variant = getenv("NOVEM_VARIANT");

    if (fault && *fault && fault_find(fault) == FAULT_COUNT)
        return tool_error("NOVEM_FAULT", "no fault is called '%s'", fault);
    if (fault && *fault && fault_find(fault) != FAULT_NONE && !NOVEM_FAULTS)
        return tool_error("NOVEM_FAULT", "this build injects no faults");
    if (variant && *variant && !variant_find(variant))
        return tool_error("NOVEM_VARIANT", "no variant renderer is called '%s'", variant);
    return TOOL_OK;
}

/* The same for novem.conf. Runs after the command, because commands change settings before the
 * first use, which fixes them. */
static int check_file(int code)
{
    if (api_config_has_unknown_renderer())
        return tool_error("config", "novem.conf names a fault or variant that does not exist");
    return code;
}

/* A run whose sinks (NOVEM_SINK) lost frames or whose capture (NOVEM_RECORD) lost calls has failed;
 * a message has said why. */
static int check_losses(int code)
{
    record_close();
    return code == TOOL_OK && (present_lost_frames() || record_lost_calls()) ? TOOL_ERROR : code;
}

/* What a command has printed may be lost: a full disk, a closed descriptor. */
static int close_output(int code)
{
    bool good = !ferror(stdout);

    errno = 0;
    if (!fflush(stdout) && good)
        return code;
    return tool_error("output", "not all of it could be written%s%s", errno ? ": " : "",
                      errno ? strerror(errno) : "");
}

static bool is_word(const char *word, const char *a, const char *b)
{
    return !strcmp(word, a) || !strcmp(word, b);
}

static int run(int argc, char **argv)
{
    bool help = argc > 1 && is_word(argv[1], "--help", "-h");
    bool version = argc > 1 && is_word(argv[1], "--version", "-V");

    if ((help || version) && argc > 2)
        return tool_error(argv[1], "too many arguments at '%s' (try novem help)", argv[2]);
    if (argc < 2 || help) {
        tool_help_list(&all);
        return help ? TOOL_OK : TOOL_ERROR;
    }
    if (check_names() != TOOL_OK)
        return TOOL_ERROR;
    if (version)
        return tool_print_version();
    png_set_command(argc, argv);
    for (size_t i = 0; i < all.count; i++)
        if (!strcmp(argv[1], all.list[i].name))
            return check_file(check_losses(all.list[i].run(argc - 1, argv + 1)));
    return is_absent(argv[1]) ? TOOL_ERROR : tool_unknown_command(&all, "", argv[1]);
}

/* The C library returns large blocks to the system when they are freed. To get their pages again,
 * one by one, takes a third of the processor time of a short capture, whose frames each have a
 * surface and a picture. */
static void keep_freed_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

int main(int argc, char **argv)
{
    keep_freed_memory();
    standard_streams_prepare();
    argv = path_arguments(&argc, argv);
    return close_output(run(argc, argv));
}
