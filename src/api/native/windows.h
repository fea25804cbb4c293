/* Native substitute of windows.h with what the system's d3d9.h needs: integer types, rectangles and
 * handles. Sizes are those of Windows (LONG and DWORD have 32 bits). */
#ifndef API_NATIVE_WINDOWS_H
#define API_NATIVE_WINDOWS_H

#ifdef _WIN32
#error "the Windows build uses the real windows.h"
#endif

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WINAPI
#define CALLBACK
#define CONST const
#define VOID void
#define TRUE 1
#define FALSE 0
#define __MSABI_LONG(x) x
/* C11's anonymous members, as in the real header: matrix.m, matrix._11. */
#define DUMMYUNIONNAME
#define DUMMYSTRUCTNAME

typedef int32_t BOOL, WINBOOL, LONG, INT, HRESULT;
typedef uint32_t DWORD, ULONG, UINT, UINT32;
typedef uint16_t WORD, USHORT;
typedef int16_t SHORT;
typedef uint8_t BYTE;
typedef char CHAR;
typedef float FLOAT;
typedef double DOUBLE;
typedef int64_t LONGLONG, INT64;
typedef uint64_t ULONGLONG, UINT64;
typedef uint16_t WCHAR; /* UTF-16, as on Windows */
typedef size_t SIZE_T;
typedef intptr_t LONG_PTR, INT_PTR;
typedef uintptr_t ULONG_PTR, UINT_PTR, DWORD_PTR;
typedef void *LPVOID, *PVOID, *HANDLE, *HWND, *HDC, *HMONITOR, *HMODULE, *HINSTANCE;
typedef const void *LPCVOID;
typedef char *LPSTR;
typedef const char *LPCSTR;
typedef WCHAR *LPWSTR;
typedef const WCHAR *LPCWSTR;
typedef BYTE *LPBYTE;
typedef DWORD *LPDWORD;

typedef union _LARGE_INTEGER {
    struct {
        DWORD LowPart;
        LONG HighPart;
    } u;
    LONGLONG QuadPart;
} LARGE_INTEGER;

typedef struct _LUID {
    DWORD LowPart;
    LONG HighPart;
} LUID;

typedef struct tagRECT {
    LONG left, top, right, bottom;
} RECT, *LPRECT;
typedef const RECT *LPCRECT;

typedef struct tagPOINT {
    LONG x, y;
} POINT, *LPPOINT;

typedef struct tagSIZE {
    LONG cx, cy;
} SIZE, *LPSIZE;

typedef struct tagPALETTEENTRY {
    BYTE peRed, peGreen, peBlue, peFlags;
} PALETTEENTRY;

typedef struct _RGNDATAHEADER {
    DWORD dwSize, iType, nCount, nRgnSize;
    RECT rcBound;
} RGNDATAHEADER;

typedef struct _RGNDATA {
    RGNDATAHEADER rdh;
    char Buffer[1];
} RGNDATA;

#define ZeroMemory(to, bytes) memset(to, 0, bytes)
#define FillMemory(to, bytes, value) memset(to, value, bytes)
#define CopyMemory(to, from, bytes) memcpy(to, from, bytes)
#define MoveMemory(to, from, bytes) memmove(to, from, bytes)

#endif
