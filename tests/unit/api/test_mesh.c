/* Random test of transform, clipping and rasterisation: random meshes that tile a plane in space,
 * also with user clip planes, cover every pixel whose ray hits them exactly once. */
#include "api_test.h"

#include <math.h>

enum { WIDTH = 90, HEIGHT = 70, CELLS = 7, ROUNDS = 300 };

static uint64_t random_state = 88172645463325252u;

/* From -1 to 1. */
static double random_real(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int32_t)(random_state >> 32) / 2147483648.0;
}

static unsigned random_below(unsigned n)
{
    return (unsigned)((random_real() * 0.5 + 0.5) * n) % n;
}

struct vec {
    double x, y, z;
};

static struct vec vec_add(struct vec a, double s, struct vec b)
{
    return (struct vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double dot(struct vec a, struct vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct vec unit(struct vec v)
{
    double length = sqrt(dot(v, v));

    return (struct vec){v.x / length, v.y / length, v.z / length};
}

static struct vec cross(struct vec a, struct vec b)
{
    return (struct vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* A square in space with half side `reach` along u and v. The camera at the origin looks along z,
 * with a projection of scales sx, sy and depths near to far. */
struct view {
    struct vec origin, u, v, n;
    double reach, sx, sy, near, far;
    double plane[4]; /* user clip plane in world space */
    D3DVIEWPORT9 port;
};

static void random_view(struct view *view)
{
    static const double reaches[] = {1.0, 4.0, 50.0, 3000.0, 100000.0};
    struct vec any = {random_real(), random_real(), random_real()};

    memset(view, 0, sizeof(*view));
    view->n = unit((struct vec){random_real(), random_real(), random_real()});
    view->u = unit(cross(view->n, any));
    view->v = cross(view->n, view->u);
    do /* excludes edge-on squares, whose degenerate triangles flip when vertices snap */
        view->origin = (struct vec){random_real() * 3, random_real() * 3, random_real() * 6};
    while (fabs(dot(view->n, view->origin)) < 0.3);
    view->reach = reaches[random_below(5)];
    view->near = random_below(2) ? 0.1 : 1.0;
    view->far = random_below(2) ? 20.0 : 1000.0;
    view->sx = 0.5 + fabs(random_real()) * 2;
    view->sy = 0.5 + fabs(random_real()) * 2;
    do { /* excludes clip planes almost parallel to the square */
        for (unsigned i = 0; i < 4; i++)
            view->plane[i] = (float)(random_real() * (i == 3 ? 4.0 : 1.0));
        any = cross((struct vec){view->plane[0], view->plane[1], view->plane[2]}, view->n);
    } while (dot(any, any) < 0.1);
    view->port = (D3DVIEWPORT9){random_below(20),
                                random_below(20),
                                40 + random_below(30),
                                30 + random_below(20),
                                0.0f,
                                1.0f};
}

enum { OUTSIDE, CUT_OFF, INSIDE, ON_A_BORDER };

/* Where the ray through a screen position hits: inside the square, outside its visible part, or
 * clipped by the user plane alone. */
static int look_at(const struct view *view, double px, double py)
{
    struct vec d = {((px - view->port.X) * 2.0 / view->port.Width - 1.0) / view->sx,
                    (1.0 - (py - view->port.Y) * 2.0 / view->port.Height) / view->sy, 1.0};
    double t = dot(view->n, view->origin) / dot(view->n, d);
    struct vec hit = {t * d.x, t * d.y, t * d.z}, on = vec_add(hit, -1.0, view->origin);

    if (!(t >= view->near && t <= view->far && fabs(dot(on, view->u)) <= view->reach &&
          fabs(dot(on, view->v)) <= view->reach))
        return OUTSIDE;
    return view->plane[0] * hit.x + view->plane[1] * hit.y + view->plane[2] * hit.z +
                       view->plane[3] <
                   0.0
               ? CUT_OFF
               : INSIDE;
}

/* The same for a pixel. ON_A_BORDER: the result changes within 1/40 pixel, which snapping may move;
 * 1/2 pixel for distant corners, where single precision moves the whole square. */
static int look_at_pixel(const struct view *view, unsigned x, unsigned y, bool with_plane)
{
    const double near = view->reach > 1e4 ? 0.5 : 0.025;
    int first = -1;

    for (int i = 0; i < 9; i++) {
        int what = look_at(view, x + (i % 3 - 1) * near, y + (i / 3 - 1) * near);

        if (what == CUT_OFF && !with_plane)
            what = INSIDE;
        if (first >= 0 && what != first)
            return ON_A_BORDER;
        first = what;
    }
    return first;
}

/* --- Drawing ---------------------------------------------------------------------------------- */

struct corner {
    float x, y, z;
    DWORD colour;
};

/* A grid with displaced inner vertices; no triangle flips. */
static unsigned make_mesh(struct corner *out, double reach)
{
    double grid[CELLS + 1][CELLS + 1][2];
    unsigned n = 0;

    for (unsigned i = 0; i <= CELLS; i++)
        for (unsigned j = 0; j <= CELLS; j++)
            for (unsigned k = 0; k < 2; k++) {
                unsigned at = k ? j : i;
                bool border = !at || at == CELLS;

                grid[i][j][k] =
                    reach * (2.0 * (at + (border ? 0.0 : 0.24 * random_real())) / CELLS - 1.0);
            }
    for (unsigned i = 0; i < CELLS; i++)
        for (unsigned j = 0; j < CELLS; j++) {
            static const unsigned split[2][6][2] = {
                {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}},
                {{0, 0}, {1, 0}, {1, 1}, {1, 1}, {0, 1}, {0, 0}}};
            unsigned way = random_below(2);

            for (unsigned k = 0; k < 6; k++) {
                const double *p = grid[i + split[way][k][0]][j + split[way][k][1]];

                out[n++] = (struct corner){(float)p[0], (float)p[1], 0.0f, 0x01010101};
            }
        }
    return n;
}

static void set_transforms(IDirect3DDevice9 *device, const struct view *v)
{
    float q = (float)(v->far / (v->far - v->near));
    D3DMATRIX world = {
        {{(float)v->u.x, (float)v->u.y, (float)v->u.z, 0, (float)v->v.x, (float)v->v.y,
          (float)v->v.z, 0, (float)v->n.x, (float)v->n.y, (float)v->n.z, 0, (float)v->origin.x,
          (float)v->origin.y, (float)v->origin.z, 1}}};
    D3DMATRIX projection = {
        {{(float)v->sx, 0, 0, 0, 0, (float)v->sy, 0, 0, 0, 0, q, 1, 0, 0, -q * (float)v->near, 0}}};

    OK(IDirect3DDevice9_SetTransform(device, D3DTS_WORLD, &world));
    OK(IDirect3DDevice9_SetTransform(device, D3DTS_PROJECTION, &projection));
    OK(IDirect3DDevice9_SetViewport(device, &v->port));
}

static void set_plane(IDirect3DDevice9 *device, const struct view *v, float sign)
{
    float plane[4];

    for (unsigned i = 0; i < 4; i++)
        plane[i] = sign * (float)v->plane[i];
    OK(IDirect3DDevice9_SetClipPlane(device, 0, plane));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CLIPPLANEENABLE, sign != 0.0f));
}

struct stage {
    IDirect3DDevice9 *device;
    IDirect3DSurface9 *target;
};

static struct stage open_stage(void)
{
    struct stage s = {.device = create_device()};

    OK(IDirect3DDevice9_CreateRenderTarget(s.device, WIDTH, HEIGHT, D3DFMT_A8R8G8B8,
                                           D3DMULTISAMPLE_NONE, 0, TRUE, &s.target, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(s.device, 0, s.target));
    OK(IDirect3DDevice9_SetDepthStencilSurface(s.device, NULL));
    OK(IDirect3DDevice9_SetFVF(s.device, D3DFVF_XYZ | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_SetRenderState(s.device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetRenderState(s.device, D3DRS_CULLMODE, D3DCULL_NONE));
    OK(IDirect3DDevice9_SetRenderState(s.device, D3DRS_ALPHABLENDENABLE, TRUE));
    OK(IDirect3DDevice9_SetRenderState(s.device, D3DRS_SRCBLEND, D3DBLEND_ONE));
    OK(IDirect3DDevice9_SetRenderState(s.device, D3DRS_DESTBLEND, D3DBLEND_ONE));
    return s;
}

static void close_stage(struct stage *s)
{
    release(s->target);
    ck_assert_uint_eq(release(s->device), 0);
}

static void clear_stage(const struct stage *s)
{
    D3DVIEWPORT9 all = {0, 0, WIDTH, HEIGHT, 0, 1};

    OK(IDirect3DDevice9_SetViewport(s->device, &all));
    OK(IDirect3DDevice9_Clear(s->device, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0));
}

static void draw_mesh(const struct stage *s, const struct corner *mesh, unsigned n)
{
    OK(IDirect3DDevice9_BeginScene(s->device));
    OK(IDirect3DDevice9_DrawPrimitiveUP(s->device, D3DPT_TRIANGLELIST, n / 3, mesh, sizeof(*mesh)));
    OK(IDirect3DDevice9_EndScene(s->device));
}

/* How often each pixel was drawn. */
static void read_counts(const struct stage *s, unsigned counts[HEIGHT][WIDTH])
{
    D3DLOCKED_RECT locked;

    OK(IDirect3DSurface9_LockRect(s->target, &locked, NULL, D3DLOCK_READONLY));
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            counts[y][x] = ((const uint8_t *)locked.pBits)[y * (unsigned)locked.Pitch + x * 4];
    OK(IDirect3DSurface9_UnlockRect(s->target));
}

static bool in_viewport(const struct view *v, unsigned x, unsigned y)
{
    return x >= v->port.X && y >= v->port.Y && x < v->port.X + v->port.Width &&
           y < v->port.Y + v->port.Height;
}

/* --- Tests ------------------------------------------------------------------------------------ */

/* Returns the number of pixels that are certainly inside. */
static unsigned check_counts(const struct view *view, unsigned counts[HEIGHT][WIDTH],
                             bool with_plane, unsigned round)
{
    unsigned inside = 0;

    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            int what = in_viewport(view, x, y) ? look_at_pixel(view, x, y, with_plane) : OUTSIDE;

            if (counts[y][x] > 1 || (what == INSIDE && counts[y][x] != 1) ||
                ((what == OUTSIDE || what == CUT_OFF) && counts[y][x]))
                ck_abort_msg("round %u: (%u,%u) is drawn %u times, %s", round, x, y, counts[y][x],
                             what == INSIDE        ? "not once"
                             : what == ON_A_BORDER ? "on a border"
                                                   : "not at all");
            inside += what == INSIDE;
        }
    return inside;
}

START_TEST(meshes_hit_every_pixel_once)
{
    static struct corner mesh[6 * CELLS * CELLS];
    static unsigned counts[HEIGHT][WIDTH];
    struct stage s = open_stage();
    unsigned inside = 0;

    for (unsigned round = 0; round < ROUNDS; round++) {
        struct view view;
        unsigned n;

        random_view(&view);
        n = make_mesh(mesh, view.reach);
        clear_stage(&s);
        set_transforms(s.device, &view);
        draw_mesh(&s, mesh, n);
        read_counts(&s, counts);
        inside += check_counts(&view, counts, false, round);
    }
    ck_assert_uint_gt(inside, ROUNDS * WIDTH * HEIGHT / 12);
    close_stage(&s);
}
END_TEST

/* A clip plane keeps its positive side. The plane and its opposite together draw the whole mesh,
 * also along the cut. */
START_TEST(planes_cut_meshes_in_two)
{
    static unsigned kept[HEIGHT][WIDTH], both[HEIGHT][WIDTH], whole[HEIGHT][WIDTH];
    static struct corner mesh[6 * CELLS * CELLS];
    struct stage s = open_stage();
    unsigned inside = 0;

    random_state = 4711;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct view view;
        unsigned n;

        random_view(&view);
        n = make_mesh(mesh, view.reach);
        clear_stage(&s);
        set_transforms(s.device, &view);
        set_plane(s.device, &view, 1.0f);
        draw_mesh(&s, mesh, n);
        read_counts(&s, kept);
        inside += check_counts(&view, kept, true, round);
        set_plane(s.device, &view, -1.0f);
        draw_mesh(&s, mesh, n);
        read_counts(&s, both);
        clear_stage(&s);
        set_transforms(s.device, &view);
        set_plane(s.device, &view, 0.0f);
        draw_mesh(&s, mesh, n);
        read_counts(&s, whole);
        for (unsigned y = 0; y < HEIGHT; y++)
            for (unsigned x = 0; x < WIDTH; x++)
                if (both[y][x] > 1 ||
                    (both[y][x] != whole[y][x] && look_at_pixel(&view, x, y, false) == INSIDE))
                    ck_abort_msg("round %u: (%u,%u) is drawn %u times in two parts, %u in one",
                                 round, x, y, both[y][x], whole[y][x]);
    }
    ck_assert_uint_gt(inside, ROUNDS * WIDTH * HEIGHT / 30);
    close_stage(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/mesh");
    TCase *tc = tcase_create("mesh");

    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, meshes_hit_every_pixel_once);
    tcase_add_test(tc, planes_cut_meshes_in_two);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
