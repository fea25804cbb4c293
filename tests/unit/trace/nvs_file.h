/* Builds compiled streams for tests, and runs them from memory. */
#ifndef TESTS_TRACE_NVS_FILE_H
#define TESTS_TRACE_NVS_FILE_H

#include "check_main.h"

#include "trace/stream/read.h"
#include "trace/stream/write.h"
#include "util/alloc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct nvs_file out; /* the file under construction */
static char path[] = "/tmp/novem-nvs-XXXXXX";

static inline void begin(void)
{
    strcpy(path + sizeof(path) - 7, "XXXXXX");
    close(mkstemp(path));
    ck_assert_int_eq(nvs_file_create(&out, path), ST_OK);
    nvs_file_frame(&out);
}

static inline void put(unsigned op, const void *packet, const void *data, size_t data_bytes)
{
    struct nvs_head head = {(uint16_t)op, 0, 0};
    struct nvs_op_info info;

    ck_assert(nvs_op_info(op, &info));
    nvs_file_record(&out, &head, packet, info.bytes, data, data_bytes);
}

#define PUT(ID, name, ...) put(CMD_##ID, &(struct cmd_##name){__VA_ARGS__}, NULL, 0)
#define PUT_OWN(ID, name, ...) put(NVS_##ID, &(struct nvs_##name){__VA_ARGS__}, NULL, 0)

/* Finishes the file and returns its bytes, which the caller frees. */
static inline uint8_t *end(size_t *n)
{
    FILE *file;
    uint8_t *bytes;

    ck_assert_int_eq(nvs_file_finish(&out), ST_OK);
    file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    *n = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*n);
    ck_assert_uint_eq(fread(bytes, 1, *n, file), *n);
    fclose(file);
    unlink(path);
    return bytes;
}

/* --- Running ---------------------------------------------------------------------------------- */

static uint64_t moments, failures; /* of the last run */
static char message[300];

static inline bool on_moment(void *ctx, struct nvs *nvs, const struct replay_moment *moment)
{
    struct replay_picture picture;

    (void)ctx;
    (void)moment;
    moments++;
    if (nvs_take_picture(nvs, &picture) == ST_OK)
        mem_free(picture.rgba);
    return true;
}

static inline void ignore(void *ctx, const char *line)
{
    (void)ctx;
    (void)line;
}

static inline enum status run(const uint8_t *bytes, size_t n)
{
    const struct nvs_options options = {NULL, on_moment, ignore, 0, UINT64_MAX};
    struct trace_error error;
    struct nvs *nvs;
    enum status st;

    moments = failures = 0;
    st = nvs_open_memory(&nvs, bytes, n, &error);
    if (st != ST_OK) {
        ck_assert(error.text[0]);
        snprintf(message, sizeof(message), "%s", error.text);
        return st;
    }
    st = nvs_run(nvs, &options);
    snprintf(message, sizeof(message), "%s", nvs_error(nvs)->text);
    ck_assert(st == ST_OK || nvs_error(nvs)->text[0]);
    failures = nvs_get_stats(nvs)->failed;
    nvs_close(nvs);
    return st;
}

#endif
