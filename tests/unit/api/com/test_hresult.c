/* Tests which HRESULT applications see for each status. */
#include "api_test.h"

#include "api/com/com.h"

static const struct {
    enum status status;
    HRESULT result;
} codes[] = {
    {ST_OK, D3D_OK},
    {ST_NOMEM, E_OUTOFMEMORY},
    {ST_INVALID, D3DERR_INVALIDCALL},
    {ST_DAMAGED, D3DERR_INVALIDCALL},
    {ST_UNSUPPORTED, D3DERR_NOTAVAILABLE},
    {ST_LOST, D3DERR_DEVICELOST},
    {ST_BUSY, D3DERR_WASSTILLDRAWING},
    {ST_NOTFOUND, D3DERR_NOTFOUND},
    {ST_IO, E_FAIL},
};

START_TEST(status_to_hresult)
{
    RETURNS(api_hresult(codes[_i].status), codes[_i].result);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/hresult");
    TCase *tc = tcase_create("hresult");

    tcase_add_loop_test(tc, status_to_hresult, 0, sizeof(codes) / sizeof(codes[0]));
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
