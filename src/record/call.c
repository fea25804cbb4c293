/* Capture of the process: one file, one mutex, calls numbered in the order of their returns.
 *
 * Tested by tests/unit/trace/test_record.c. */
#include "record/call.h"

#include "record/file.h"
#include "util/forks.h"
#include "util/log.h"
#include "util/output_file.h"
#include "util/path.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { NAMES_TRIED = 16 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool on, refused;
static atomic_uint forks; /* fork_count() at the start */
static struct writer writer;
static unsigned threads;
static _Thread_local unsigned thread; /* thread number in the capture, from 1; 0: unassigned */

/* --- The file --------------------------------------------------------------------------------- */

static const char *process_name(char out[PATH_TEXT_BYTES])
{
    return *path_of_program(out, PATH_TEXT_BYTES) ? out : NULL;
}

/* A launcher and the program that it starts have the same setting: the second takes another name.
 */
static enum status open_capture(const char *path)
{
    char process[PATH_TEXT_BYTES], name[PATH_TEXT_BYTES];
    const char *text = process_name(process);
    enum status st = ST_BUSY;

    for (unsigned n = 0; st == ST_BUSY && n < NAMES_TRIED; n++) {
        st = record_file_name(name, sizeof(name), path, n);
        if (st == ST_OK)
            st = writer_open(&writer, name, text);
        if (st == ST_OK && n > 0)
            log_warn("record", "another process records to %s; this one records to %s", path, name);
    }
    return st;
}

/* A forked child leaves the capture to its parent: the file, and the calls in the buffer. Call with
 * the mutex held. */
static void leave_to_parent(void)
{
    if (!writer.chunk || atomic_load(&forks) == fork_count())
        return;
    writer = (struct writer){0};
    atomic_store(&on, false);
}

void record_start(const char *path)
{
    enum status st;

    pthread_mutex_lock(&mutex);
    leave_to_parent();
    if (!writer.chunk) {
        atomic_store(&forks, fork_count());
        st = open_capture(path);
        if (st != ST_OK) {
            log_once("record", path, "%s: %s; nothing is recorded", path, status_text(st));
            atomic_store(&refused, true);
        }
        atomic_store(&on, st == ST_OK);
    }
    pthread_mutex_unlock(&mutex);
}

bool record_stop(void)
{
    bool was_on;

    pthread_mutex_lock(&mutex);
    leave_to_parent();
    was_on = atomic_exchange(&on, false);
    if (was_on)
        writer_close(&writer);
    pthread_mutex_unlock(&mutex);
    return was_on;
}

/* Creates a file of the name, and opens the capture in it. */
static enum status open_new(const char *path)
{
    char process[PATH_TEXT_BYTES];
    int file = output_file_create(path);
    enum status st;
    int error;

    if (file < 0)
        return ST_IO;
    close(file);
    st = writer_open(&writer, path, process_name(process));
    error = errno;
    if (st != ST_OK)
        output_file_discard(path);
    errno = error;
    return st;
}

enum status record_begin(const char *path)
{
    enum status st = ST_BUSY;
    int error;

    pthread_mutex_lock(&mutex);
    leave_to_parent();
    if (!writer.chunk) {
        atomic_store(&forks, fork_count());
        st = open_new(path);
        error = errno;
        atomic_store(&on, st == ST_OK);
        errno = error;
    }
    pthread_mutex_unlock(&mutex);
    return st;
}

bool record_finish(uint64_t *calls)
{
    bool whole = false;

    pthread_mutex_lock(&mutex);
    leave_to_parent();
    *calls = writer.calls;
    if (atomic_exchange(&on, false))
        whole = writer_close(&writer);
    pthread_mutex_unlock(&mutex);
    return whole;
}

bool record_is_on(void)
{
    return atomic_load(&on) && atomic_load(&forks) == fork_count();
}

bool record_lost_calls(void)
{
    return atomic_load(&refused) || writer_lost_data();
}

/* A thread that the exiting process killed may hold the mutex. */
__attribute__((destructor)) static void finish(void)
{
    if (record_is_on() && !pthread_mutex_trylock(&mutex)) {
        writer_flush(&writer);
        pthread_mutex_unlock(&mutex);
    }
}

void record_flush(void)
{
    pthread_mutex_lock(&mutex);
    if (record_is_on())
        writer_flush(&writer);
    pthread_mutex_unlock(&mutex);
}

static _Atomic(record_presented_fn *) presented;

void record_on_present(record_presented_fn *fn)
{
    atomic_store(&presented, fn);
}

void record_tell_presented(const void *presenter)
{
    record_presented_fn *fn = atomic_load(&presented);

    if (fn)
        fn(presenter);
}

_Thread_local bool record_made_up;

/* --- Calls ------------------------------------------------------------------------------------ */

enum { EVENT_ENTER, EVENT_LEAVE };
enum { DETAIL_END, DETAIL_ARGUMENT, DETAIL_RESULT, DETAIL_FLAGS = 5 };

static void put_list(struct writer *w, const struct record_param *p, const uint64_t *args,
                     const uint8_t *at)
{
    size_t n = p->times * (p->count_arg ? (size_t)(uint32_t)args[p->count_arg] : 1);

    writer_array(w, n);
    if (p->type->shape == SHAPE_FLOAT) {
        writer_floats(w, at, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        writer_value(w, p->type, at + i * p->type->size);
}

/* If the call failed, its pointers may be invalid, so no pointee is read. */
static void put_argument(struct writer *w, const struct record_param *p, const uint64_t *args,
                         const uint64_t *arg, bool failed)
{
    const void *at = record_pointer(*arg);

    if (p->kind == PARAM_VALUE) {
        writer_value(w, p->type, arg);
        return;
    }
    if (failed || (p->kind != PARAM_CUSTOM && !at)) {
        writer_null(w);
        return;
    }
    if (p->kind == PARAM_CUSTOM) {
        p->write(w, args);
        return;
    }
    if (p->kind == PARAM_LIST) {
        put_list(w, p, args, at);
        return;
    }
    if (p->kind == PARAM_POINTER)
        writer_array(w, 1);
    writer_value(w, p->type, at);
}

static void put_arguments(struct writer *w, const struct record_method *method,
                          const uint64_t *args, bool output, bool failed)
{
    for (unsigned i = 0; i < method->count; i++) {
        if (method->params[i].output != output)
            continue;
        writer_tagged(w, DETAIL_ARGUMENT, i);
        put_argument(w, &method->params[i], args, &args[i], failed);
    }
}

static void put_signature(struct writer *w, struct record_method *method)
{
    bool is_new = method->epoch != w->epoch;

    if (is_new) {
        method->epoch = w->epoch;
        method->id = w->functions++;
        for (unsigned i = 0; i < method->count; i++)
            method->output |= method->params[i].output;
    }
    writer_number(w, method->id);
    if (!is_new)
        return;
    writer_string(w, method->name);
    writer_number(w, method->count);
    for (unsigned i = 0; i < method->count; i++)
        writer_string(w, method->params[i].name);
}

static void put_call(struct writer *w, struct record_method *method, const uint64_t *args,
                     uint64_t result)
{
    bool failed = method->result == &record_hresult && (int32_t)result < 0;

    writer_tagged(w, EVENT_ENTER, thread - 1);
    put_signature(w, method);
    if (method->fake)
        writer_tagged(w, DETAIL_FLAGS, WRITER_CALL_FAKE);
    put_arguments(w, method, args, false, failed);
    writer_byte(w, DETAIL_END);
    writer_tagged(w, EVENT_LEAVE, w->calls++);
    if (!failed && method->output)
        put_arguments(w, method, args, true, false);
    if (method->result) {
        writer_byte(w, DETAIL_RESULT);
        writer_value(w, method->result, &result);
    }
    writer_byte(w, DETAIL_END);
}

void record_call(struct record_method *method, const uint64_t *args, uint64_t result)
{
    pthread_mutex_lock(&mutex);
    if (!thread)
        thread = ++threads;
    if (record_is_on())
        put_call(&writer, method, args, result);
    pthread_mutex_unlock(&mutex);
}

/* --- Original vtables ------------------------------------------------------------------------- */

static const void *reals[RECORD_CLASS_COUNT];

const void *record_real(enum record_class class)
{
    return __atomic_load_n(&reals[class], __ATOMIC_ACQUIRE);
}

void record_set_real(enum record_class class, const void *real)
{
    __atomic_store_n(&reals[class], real, __ATOMIC_RELEASE);
}
