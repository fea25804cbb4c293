/* Paths below the token: pages, answers and pictures. */
#ifndef TOOL_SERVE_KEY_H
#define TOOL_SERVE_KEY_H

#include <stdbool.h>
#include <stdint.h>

enum serve_kind {
    SERVE_PAGE,      /* "" */
    SERVE_PICTURE,   /* images/NAME */
    SERVE_FRAME,     /* data/frame */
    SERVE_FILM,      /* data/film: the list of all frames, as far as it is known */
    SERVE_THUMB,     /* data/film/N: the picture of frame N */
    SERVE_PIXEL,     /* data/pixel/CALL/RESOURCE/X/Y */
    SERVE_EDIT,      /* data/edit/ID/KEY: the answer of KEY with the changes of an edit */
    SERVE_CAPTURE,   /* data/edit/ID/capture: a capture with the changes of an edit */
    SERVE_CANDIDATE, /* data/candidate: pictures of another implementation */
    SERVE_ANSWER,    /* other keys below data/, which the frame answers */
};

enum { SERVE_NAME = 32, SERVE_EDIT_ID = 17 };

struct serve_key {
    enum serve_kind kind;
    const char *key;          /* after "data/": a part of the path */
    const char *picture;      /* after "images/" */
    bool raw;                 /* the picture is one of numbers (.f32) */
    char edit[SERVE_EDIT_ID]; /* SERVE_EDIT and SERVE_CAPTURE: ID, 16 hexadecimal digits */
    const char *rest;         /* SERVE_EDIT: KEY, which is one that the frame answers */
    uint64_t call;            /* SERVE_PIXEL */
    uint64_t film;            /* SERVE_THUMB: N */
    uint32_t resource;        /* SERVE_PIXEL: the resource's id */
    uint32_t x, y;            /* SERVE_PIXEL */
};

/* Parses a path. False: nothing has it. */
bool serve_key_parse(struct serve_key *out, const char *path);
/* Parses a key, the part after "data/", in the same way. */
bool serve_key_parse_data(struct serve_key *out, const char *key);
/* Reads a whole text as a number; false: it is none, or has leading zeros or a sign. */
bool serve_number(const char *text, uint64_t *out);

#endif
