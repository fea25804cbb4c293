/* Prepares the standard streams on POSIX and Windows.
 *
 * Tested by tests/tool/streams.sh and tests/tool/other_novem.sh. */
#include "util/standard_streams.h"

#include <errno.h>
#include <fcntl.h>

#ifdef _WIN32

#include <io.h>
#include <stdlib.h>

void standard_streams_prepare(void)
{
    for (int fd = 0; fd < 3; fd++)
        _setmode(fd, _O_BINARY);
    _fmode = _O_BINARY;
}

#else

#include <unistd.h>

/* They are opened the wrong way round. */
void standard_streams_prepare(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", fd ? O_RDONLY : O_WRONLY);
}

#endif
