/* Baselines: files that list the known failures of a candidate, one case a line. */
#ifndef TOOL_GOLDEN_BASELINE_H
#define TOOL_GOLDEN_BASELINE_H

#include "tool/golden/manifest.h"
#include "tool/golden/record.h"

/* Marks the manifest's cases that the file lists; warns about names that no case has. Returns false
 * after an error message. */
bool baseline_read(struct golden_manifest *manifest, const char *path, const char *command);
/* Writes the failures of a run; path NULL: to standard output. Returns false after an error
 * message. */
bool baseline_write(const struct records *records, const char *path, const char *command);

#endif
