/* Streams that a program starts with. */
#ifndef UTIL_STANDARD_STREAMS_H
#define UTIL_STANDARD_STREAMS_H

/* Call it first in main(). Descriptors 0 to 2 that the caller has closed are opened, so that no
 * file gets their numbers; a read or write of them fails as on a closed one. On Windows, streams
 * and files have the same bytes as elsewhere: a line ends with one byte. */
void standard_streams_prepare(void);

#endif
