/* Interface identifiers of Direct3D 9, for programs that load their library at run time.
 *
 * Tested by tests/tool/retrace.sh. */
#define INITGUID
#include <windows.h>
#include <d3d9.h>
