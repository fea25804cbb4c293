/* Results on the terminal, and the exit code. */
#include "tool/golden/golden.h"

#include <string.h>

void golden_summarize(const struct golden_result *results, size_t n, struct golden_summary *out)
{
    memset(out, 0, sizeof(*out));
    out->total = n;
    for (size_t i = 0; i < n; i++) {
        out->count[results[i].verdict]++;
        out->seconds += results[i].seconds;
    }
}

void golden_print_table(const struct golden_result *results, size_t n,
                        const struct golden_summary *summary)
{
    const char *comma = "";

    for (size_t i = 0; i < n; i++)
        if (results[i].verdict > GOLDEN_XFAIL)
            printf("%-15s %-40s %s\n", golden_verdict_names[results[i].verdict], results[i].c->name,
                   results[i].message);
    printf("%zu cases: ", summary->total);
    for (unsigned v = 0; v < GOLDEN_VERDICTS; v++) {
        if (!summary->count[v])
            continue;
        printf("%s%zu %s", comma, summary->count[v], golden_verdict_names[v]);
        comma = ", ";
    }
    printf("%s\n", *comma ? "" : "none");
}

int golden_exit_code(const struct golden_summary *summary)
{
    size_t right = summary->count[GOLDEN_PASS] + summary->count[GOLDEN_XFAIL];

    if (summary->count[GOLDEN_ERROR])
        return TOOL_ERROR;
    return right == summary->total ? TOOL_OK : TOOL_DIFFERS;
}
