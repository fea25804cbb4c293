#!/usr/bin/env python3
"""Tests that an HTML page of novem fits a screen of 400 pixels and has its headings in order.

    narrow.py PAGE.html

The page does not scroll sideways. The first heading is the only h1, and no heading skips a level.
"""
import sys
import tempfile

from golden_report import Browser

WIDE = """(() => {
    const wide = [...document.body.querySelectorAll('*')].filter((e) => e.checkVisibility() &&
        e.getBoundingClientRect().right > innerWidth + 0.5 && !e.closest('.stage, .row'));
    return [Math.max(document.documentElement.scrollWidth, document.body.scrollWidth),
        wide.map((e) => e.tagName + '#' + e.id + '.' + e.className).join(' ')];
})()"""
HEADINGS = """[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter((e) => e.checkVisibility())
    .map((e) => +e.tagName[1])"""



def look(path):
    """Returns the number of failures."""
    failed = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        b = Browser(profile)
        b.open(path)
        b.call("Emulation.setDeviceMetricsOverride", width=400, height=800, deviceScaleFactor=1, mobile=True)
        b.wait("document.readyState === 'complete' && (typeof REPORT === 'undefined' || document.body.dataset.ready)")
        width, wide = b.run(WIDE)
        levels = b.run(HEADINGS)
        b.close()
    ordered = levels[:1] == [1] and levels.count(1) == 1 and all(
        after <= before + 1 for before, after in zip(levels, levels[1:]))
    for text, good in ((f"fits 400 pixels, not {width}: {wide}", width <= 400 and not wide),
                       (f"has headings in order: {levels}", ordered)):
        print(f"{'ok  ' if good else 'FAIL'} {path} {text}")
        failed += not good
    return failed


sys.exit(look(sys.argv[1]) > 0)
