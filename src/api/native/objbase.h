/* Native substitute of objbase.h with what the system's d3d9.h needs: GUIDs, HRESULTs, IUnknown and
 * the interface macros for C and C++. Defining INITGUID before including d3d9.h turns the GUID
 * declarations into definitions, as on Windows. */
#ifndef API_NATIVE_OBJBASE_H
#define API_NATIVE_OBJBASE_H

#include <windows.h>

#define STDMETHODCALLTYPE
#define STDAPICALLTYPE
#define STDAPI HRESULT

#ifdef __cplusplus
#define EXTERN_C extern "C"
#define DECLSPEC_SELECTANY __attribute__((weak))
#else
#define EXTERN_C extern
#define DECLSPEC_SELECTANY __attribute__((weak))
#endif
#define DECLSPEC_UUID(x)
#define DECLSPEC_NOVTABLE

#define S_OK ((HRESULT)0)
#define S_FALSE ((HRESULT)1)
#define E_UNEXPECTED ((HRESULT)0x8000ffff)
#define E_NOTIMPL ((HRESULT)0x80004001)
#define E_NOINTERFACE ((HRESULT)0x80004002)
#define E_POINTER ((HRESULT)0x80004003)
#define E_ABORT ((HRESULT)0x80004004)
#define E_FAIL ((HRESULT)0x80004005)
#define E_ACCESSDENIED ((HRESULT)0x80070005)
#define E_HANDLE ((HRESULT)0x80070006)
#define E_OUTOFMEMORY ((HRESULT)0x8007000e)
#define E_INVALIDARG ((HRESULT)0x80070057)
#define SUCCEEDED(hr) ((HRESULT)(hr) >= 0)
#define FAILED(hr) ((HRESULT)(hr) < 0)
#define MAKE_HRESULT(severity, facility, code)                                                     \
    ((HRESULT)(((uint32_t)(severity) << 31) | ((uint32_t)(facility) << 16) | (uint32_t)(code)))

typedef struct _GUID {
    DWORD Data1;
    WORD Data2, Data3;
    BYTE Data4[8];
} GUID, IID, CLSID;

#ifdef __cplusplus
#define REFGUID const GUID &
#define REFIID const IID &
static inline bool operator==(const GUID &a, const GUID &b)
{
    return !memcmp(&a, &b, sizeof(a));
}
static inline bool operator!=(const GUID &a, const GUID &b)
{
    return !(a == b);
}
static inline bool IsEqualGUID(const GUID &a, const GUID &b)
{
    return a == b;
}
#else
#define REFGUID const GUID *
#define REFIID const IID *
#define IsEqualGUID(a, b) (!memcmp(a, b, sizeof(GUID)))
#endif
#define IsEqualIID(a, b) IsEqualGUID(a, b)
#define IsEqualCLSID(a, b) IsEqualGUID(a, b)

#ifdef INITGUID
#define DEFINE_GUID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)                               \
    EXTERN_C const GUID name DECLSPEC_SELECTANY;                                                   \
    const GUID name DECLSPEC_SELECTANY = {l, w1, w2, {b1, b2, b3, b4, b5, b6, b7, b8}}
#else
#define DEFINE_GUID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8) EXTERN_C const GUID name
#endif

#define interface struct
#ifdef __cplusplus
#define THIS_
#define THIS void
#define PURE = 0
#define STDMETHOD(method) virtual HRESULT method
#define STDMETHOD_(type, method) virtual type method
#define DECLARE_INTERFACE(iface) struct iface
#define DECLARE_INTERFACE_(iface, base) struct iface : public base
#else
#define THIS_ INTERFACE *This,
#define THIS INTERFACE *This
#define PURE
#define STDMETHOD(method) HRESULT(*method)
#define STDMETHOD_(type, method) type(*method)
#define CONST_VTBL
#define DECLARE_INTERFACE(iface)                                                                   \
    typedef struct iface {                                                                         \
        const struct iface##Vtbl *lpVtbl;                                                          \
    } iface;                                                                                       \
    typedef struct iface##Vtbl iface##Vtbl;                                                        \
    struct iface##Vtbl
#define DECLARE_INTERFACE_(iface, base) DECLARE_INTERFACE(iface)
#endif

#define __CRT_UUID_DECL(type, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)

DEFINE_GUID(IID_IUnknown, 0x00000000, 0x0000, 0x0000, 0xc0, 0, 0, 0, 0, 0, 0, 0x46);

#undef INTERFACE
#define INTERFACE IUnknown
DECLARE_INTERFACE(IUnknown)
{
    STDMETHOD(QueryInterface)(THIS_ REFIID riid, void **object) PURE;
    STDMETHOD_(ULONG, AddRef)(THIS) PURE;
    STDMETHOD_(ULONG, Release)(THIS) PURE;
};
#undef INTERFACE
typedef IUnknown *LPUNKNOWN;

#ifndef __cplusplus
#define IUnknown_QueryInterface(p, a, b) (p)->lpVtbl->QueryInterface(p, a, b)
#define IUnknown_AddRef(p) (p)->lpVtbl->AddRef(p)
#define IUnknown_Release(p) (p)->lpVtbl->Release(p)
#endif

#endif
