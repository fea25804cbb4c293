/* `novem config`: output and exit codes. */
#include "unit/tool/command.h"

#include "tool/commands.h"

START_TEST(settings_are_printed)
{
    run_command(tool_config, TOOL_OK, 1, (char *[]){"config", NULL});
    run_command(tool_config, TOOL_OK, 2, (char *[]){"config", "--list", NULL});
    run_command(tool_config, TOOL_ERROR, 2, (char *[]){"config", "--lists", NULL});
    run_command(tool_config, TOOL_ERROR, 2, (char *[]){"config", "THREADS", NULL});
}
END_TEST

START_TEST(settings_of_a_program_are_printed)
{
    static const char conf[] = "SHADER_MODEL = 2\n[other.exe]\nSHADER_MODEL = 0\n"
                               "[game.exe]\nSHADER_MODEL = 1\n";
    char path[64], *argv[] = {"config", "--program", "game.exe", NULL};
    const char *printed;

    unsetenv("NOVEM_SHADER_MODEL");
    path_in_folder(path, "novem.conf");
    write_text(path, conf);
    setenv("NOVEM_CONFIG", path, 1);
    run_command(tool_config, TOOL_ERROR, 2, argv);
    printed = run_command(tool_config, TOOL_OK, 3, argv);
    ck_assert_ptr_nonnull(strstr(printed, "SHADER_MODEL     = 1                # "));
}
END_TEST

START_TEST(former_names_of_settings_fail)
{
    setenv("NOVEM_BUG", "border", 1);
    run_command(tool_config, TOOL_ERROR, 1, (char *[]){"config", NULL});
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("config");
    TCase *tc = tcase_create("config");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_add_test(tc, settings_are_printed);
    tcase_add_test(tc, settings_of_a_program_are_printed);
    tcase_add_test(tc, former_names_of_settings_fail);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
