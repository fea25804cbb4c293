/* Frames of a row: drawing them, and the number that takes a given time. */
#include "bench.h"

static void compute(double ms)
{
    double end;

    if (ms <= 0.0) /* reading the clock is slow under Wine */
        return;
    end = bench_caller_seconds() + 1e-3 * ms;
    while (bench_caller_seconds() < end)
        ;
}

static void draw_frame(struct bench *bench, const struct bench_row *row, int frame, double work)
{
    compute(work);
    ex_check(IDirect3DDevice9_BeginScene(bench->app.device), "BeginScene");
    row->frame(bench, frame);
    IDirect3DDevice9_EndScene(bench->app.device);
}

double bench_frames(struct bench *bench, const struct bench_row *row, int n, double work)
{
    double start = bench_seconds();

    for (int i = 0; i + 1 < n; i++) {
        draw_frame(bench, row, i, work);
        ex_check(IDirect3DDevice9_Present(bench->app.device, NULL, NULL, NULL, NULL), "Present");
    }
    draw_frame(bench, row, 0, work);
    bench_finish(bench);
    return bench_seconds() - start;
}

int bench_calibrate(struct bench *bench, const struct bench_row *row, double seconds, double work)
{
    int frames = 2;
    double took;

    while ((took = bench_frames(bench, row, frames, work)) < seconds && frames < 1 << 20) {
        double want = took > 0.0 ? seconds / took * 1.1 : 4.0;

        frames = (int)(frames * (want < 4.0 ? want : 4.0)) + 1;
    }
    return frames;
}
