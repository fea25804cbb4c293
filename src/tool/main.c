/* Main program `novem`: table of subcommands. */
#include "tool/png.h"
#include "tool/tool.h"

#include <stdio.h>
#include <string.h>

static const struct tool_command commands[] = {
    {"replay", "render a capture: a PNG or a hash for every frame", tool_replay},
    {"record", "run a program and write its calls as a capture", tool_record},
    {"compile", "the command stream of a capture, to replay without its calls", tool_compile},
    {"info", "what a capture holds: frames, draws, shaders, formats", tool_info},
    {"dump", "the calls of a capture as text", tool_dump},
    {"view", "the frames of a program that runs now, from shared memory", tool_view},
    {"diff", "compare two pictures", tool_diff},
    {"scene", "run a text scene and write what it shows", tool_scene},
    {"golden", "compare what another Direct3D 9 shows with the reference", tool_golden},
    {"mask", "which pixels another correct renderer may have otherwise", tool_mask},
    {"config", "the settings, what they do, and which are in force", tool_config},
    {"captures", "replay a folder of captures and compare with their references", tool_captures},
    {"asm", "assemble a shader", tool_asm},
    {"dis", "disassemble a shader and check it", tool_dis},
    {"run-shader", "run a shader on given inputs, instruction by instruction if wanted",
     tool_run_shader},
    {"r500", "packets for Radeon R500: dump, check, run", tool_r500},
    {"trim", "cut a capture to some of its frames, or to a draw", tool_trim},
    {"frame", "write a captured frame's draws: states, pictures, meshes, shaders", tool_frame},
    {"pixel", "all that happened to a pixel of a captured frame", tool_pixel},
};

enum { COMMAND_COUNT = sizeof(commands) / sizeof(commands[0]) };

static void print_help(void)
{
    printf("novem: Direct3D 9 in software, the same pixels on every machine\n\n"
           "usage: novem COMMAND ...\n\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        printf("  %-11s %s\n", commands[i].name, commands[i].summary);
    printf("\n`novem COMMAND --help` tells more.\n");
}

int main(int argc, char **argv)
{
    if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
        !strcmp(argv[1], "help")) {
        print_help();
        return argc < 2 ? TOOL_ERROR : TOOL_OK;
    }
    png_set_command(argc, argv);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (!strcmp(argv[1], commands[i].name))
            return commands[i].run(argc - 1, argv + 1);
    return tool_error(argv[1], "no such command; `novem --help` lists them");
}
