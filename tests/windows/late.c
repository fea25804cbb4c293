/* A dll that test_mouse.c loads after its device: the position that such a dll is told. */
#include <windows.h>

__declspec(dllexport) POINT late_position(void);

POINT late_position(void)
{
    POINT at = {-1, -1};

    GetCursorPos(&at);
    return at;
}
