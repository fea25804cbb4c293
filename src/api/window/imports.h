/* Import tables: gives the program's modules other functions than the system's. Private to the
 * module; for Windows alone. */
#ifndef API_WINDOW_IMPORTS_H
#define API_WINDOW_IMPORTS_H

/* A function that import tables have, and the one that they get. `from` is NULL: nothing. */
struct import {
    void *from, *to;
};

/* Exchanges functions in the import tables of all modules that are loaded, except the system's and
 * this one. */
void imports_exchange(const struct import *imports, unsigned count);

#endif
