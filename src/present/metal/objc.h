/* Access to macOS through the Objective-C runtime, which is opened at run time: Novem needs no SDK
 * to build and loads where there is no Metal. Private to metal/.
 *
 * Source of names, types and numbers: Apple's documentation of objc/runtime, AppKit, QuartzCore and
 * Metal. A message to NULL returns zeros, as in Objective-C. */
#ifndef PRESENT_METAL_OBJC_H
#define PRESENT_METAL_OBJC_H

#include "util/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct objc_any *objc_id;       /* an object or a class */
typedef struct objc_selector *objc_sel; /* the unique name of a message */
typedef void (*objc_function)(void);    /* a method: its first arguments are object and selector */
typedef signed char objc_bool;          /* BOOL */
typedef unsigned long objc_uint;        /* NSUInteger */
typedef long objc_int;                  /* NSInteger */
typedef const char *objc_text;
typedef const void *objc_bytes;

struct objc_size { /* CGSize; points or pixels */
    double width, height;
};
struct objc_point { /* CGPoint */
    double x, y;
};
struct objc_rect { /* CGRect */
    struct objc_point origin;
    struct objc_size size;
};
struct objc_region { /* MTLRegion; pixels */
    objc_uint x, y, z, width, height, depth;
};
struct objc_viewport { /* MTLViewport; pixels, depths */
    double x, y, width, height, near_depth, far_depth;
};
struct objc_colour { /* MTLClearColor */
    double red, green, blue, alpha;
};

enum objc_message {
#define MESSAGE0(result, name, selector) OBJC_##name,
#define MESSAGE1(result, name, selector, A) OBJC_##name,
#define MESSAGE2(result, name, selector, A, B) OBJC_##name,
#define MESSAGE3(result, name, selector, A, B, C) OBJC_##name,
#define MESSAGE4(result, name, selector, A, B, C, D) OBJC_##name,
#include "present/metal/messages.def"
    OBJC_MESSAGES
};

/* Functions of the system. Tests put a table of their own into objc_replace. */
struct objc_runtime {
    objc_id (*get_class)(objc_text name);      /* objc_getClass */
    objc_sel (*register_name)(objc_text name); /* sel_registerName */
    objc_id (*class_of)(objc_id object);       /* object_getClass */
    objc_function (*implementation)(objc_id class,
                                    objc_sel name); /* class_getMethodImplementation */
    void *(*pool_push)(void);                       /* objc_autoreleasePoolPush */
    void (*pool_pop)(void *pool);                   /* objc_autoreleasePoolPop */
    objc_id (*default_device)(void);                /* MTLCreateSystemDefaultDevice */
    objc_id (*create_colour_space)(objc_id name);   /* CGColorSpaceCreateWithName */
    void (*release_colour_space)(objc_id space);    /* CGColorSpaceRelease */
    const objc_id *srgb;                            /* kCGColorSpaceSRGB */
};

struct objc {
    struct objc_runtime runtime;
    objc_sel selectors[OBJC_MESSAGES];
};

/* Opens the frameworks, once. Returns NULL where they do not exist; `missing`, which may be NULL,
 * is then what could not be opened. Thread-safe. */
const struct objc *objc_open(const char **missing);
/* For tests: from now on objc_open returns an access to this runtime; NULL: to the system's. */
void objc_replace(const struct objc_runtime *runtime);

static inline objc_function objc_method(const struct objc *o, objc_id self, enum objc_message m)
{
    return o->runtime.implementation(o->runtime.class_of(self), o->selectors[m]);
}

/* objc_<name>(o, self, …) sends a message. */
#define MESSAGE0(result, name, selector)                                                           \
    static inline result objc_##name(const struct objc *o, objc_id self)                           \
    {                                                                                              \
        typedef result method(objc_id, objc_sel);                                                  \
                                                                                                   \
        if (!self)                                                                                 \
            return (result){0};                                                                    \
        return ((method *)objc_method(o, self, OBJC_##name))(self, o->selectors[OBJC_##name]);     \
    }
#define MESSAGE1(result, name, selector, A)                                                        \
    static inline result objc_##name(const struct objc *o, objc_id self, A a)                      \
    {                                                                                              \
        typedef result method(objc_id, objc_sel, A);                                               \
                                                                                                   \
        if (!self)                                                                                 \
            return (result){0};                                                                    \
        return ((method *)objc_method(o, self, OBJC_##name))(self, o->selectors[OBJC_##name], a);  \
    }
#define MESSAGE2(result, name, selector, A, B)                                                     \
    static inline result objc_##name(const struct objc *o, objc_id self, A a, B b)                 \
    {                                                                                              \
        typedef result method(objc_id, objc_sel, A, B);                                            \
                                                                                                   \
        if (!self)                                                                                 \
            return (result){0};                                                                    \
        return ((method *)objc_method(o, self, OBJC_##name))(self, o->selectors[OBJC_##name], a,   \
                                                             b);                                   \
    }
#define MESSAGE3(result, name, selector, A, B, C)                                                  \
    static inline result objc_##name(const struct objc *o, objc_id self, A a, B b, C c)            \
    {                                                                                              \
        typedef result method(objc_id, objc_sel, A, B, C);                                         \
                                                                                                   \
        if (!self)                                                                                 \
            return (result){0};                                                                    \
        return ((method *)objc_method(o, self, OBJC_##name))(self, o->selectors[OBJC_##name], a,   \
                                                             b, c);                                \
    }
#define MESSAGE4(result, name, selector, A, B, C, D)                                               \
    static inline result objc_##name(const struct objc *o, objc_id self, A a, B b, C c, D d)       \
    {                                                                                              \
        typedef result method(objc_id, objc_sel, A, B, C, D);                                      \
                                                                                                   \
        if (!self)                                                                                 \
            return (result){0};                                                                    \
        return ((method *)objc_method(o, self, OBJC_##name))(self, o->selectors[OBJC_##name], a,   \
                                                             b, c, d);                             \
    }
/* Messages without a result return a number that means nothing. */
typedef int objc_void;
#include "present/metal/messages.def"

static inline objc_id objc_class(const struct objc *o, objc_text name)
{
    return o->runtime.get_class(name);
}

/* A string that lives as long as the autorelease pool. */
static inline objc_id objc_string(const struct objc *o, objc_text text)
{
    return objc_string_of_text(o, objc_class(o, "NSString"), text);
}

/* The text of an NSError, as long as the autorelease pool lives. */
static inline objc_text objc_error_text(const struct objc *o, objc_id error)
{
    objc_text text = objc_text_of_string(o, objc_description(o, error));

    return text ? text : "no reason given";
}

#endif
