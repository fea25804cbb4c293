#!/usr/bin/env python3
"""Tests the page of the control panel in headless Chromium, with a running example.

    control_panel.py BUILD [SCREENSHOTS]

Prints one line per check and exits with 1 if a check fails.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

import golden_report
from golden_report import Browser, check

READY = "document.body?.dataset.ready"
FRAMES = "+[...document.querySelectorAll('dl div')].find((e) => e.firstChild.textContent === 'Frames').lastChild.textContent.replace(/,/g, '')"


def start(build, folder):
    """A program and the address of its panel."""
    env = {**os.environ, "NOVEM_CONTROL": "0", "NOVEM_SINK": "none", "NOVEM_HUD": "fps", "NOVEM_SCREENSHOT_DIR": folder}
    program = subprocess.Popen([os.path.join(build, "examples/lit"), "--frames", "100000", "--size", "320x180"], cwd=folder, env=env,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return program, re.search(r"http://\S+", program.stderr.readline())[0]


def field(name, inside):
    """An element of a setting."""
    return f"document.getElementById('name-{name}').parentElement.querySelector({inside!r})"


def look_at_figures(b, screenshots):
    check("the page is ready", b.wait(READY))
    check("the title is the program", b.text("program") == "lit" and b.run("document.title") == "lit")
    check("the line below names version and processor", re.match(r"Novem \d+\.\d+\.\d+, numerics \d+, 64 bits, \w+, process \d+$", b.text("about")))
    before = b.run(FRAMES)
    check("frames go on", b.wait(f"{FRAMES} > {before}"))
    check("the picture has its size", "320 × 180" in b.text("devices"))
    check("the graph is drawn", b.wait("""(() => { const c = document.querySelector('canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        return d.some((v) => v); })()"""))
    check("and has a text", b.run("document.querySelector('canvas').ariaLabel").startswith("Times of the last "))
    b.screenshot(screenshots, "control")
    b.key("p")
    check("the figures can be stopped", b.run("document.getElementById('pause').ariaPressed") == "true")
    b.key("p")


def look_at_settings(b):
    check("live settings have fields", b.run("[...document.querySelectorAll('#live .name')].map((e) => e.textContent)")[:2] == ["HUD", "HUD_SCALE"])
    check("other settings are a table", b.run("document.querySelectorAll('#fixed tr').length") > 20)
    check("the HUD has its item", b.run(field("HUD", "input[value=fps]") + ".checked") is True)
    b.click(field("HUD", "input[value=draws]"))
    check("a change gives a line for novem.conf", b.wait("document.getElementById('conf').textContent === 'HUD = fps,draws'"), )
    b.click(field("FRAME_LIMIT", "input"))
    b.run(field("FRAME_LIMIT", "input") + ".select()")
    b.type("60")
    b.key("Tab")
    b.run("document.activeElement.blur()")
    check("numbers can be typed", b.wait("document.getElementById('conf').textContent.includes('FRAME_LIMIT = 60')"))
    b.run(f"(() => {{ const e = {field('VSYNC', 'select')}; e.value = 'off'; e.dispatchEvent(new Event('change')); }})()")
    check("choices can be chosen", b.wait("document.getElementById('conf').textContent.includes('VSYNC = off')"))
    b.run(f"(() => {{ const e = {field('LOG', 'input')}; e.value = '<b>loud'; e.dispatchEvent(new Event('change')); }})()")
    check("a refusal has its reason", b.wait(field("LOG", ".wrong") + ".textContent.startsWith('the value is not')"))
    check("fields have names", b.run("""[...document.querySelectorAll('#live input, #live select')].every((e) =>
        e.closest('label') || document.getElementById(e.getAttribute('aria-labelledby')))"""))


def look_at_actions(b, folder, screenshots):
    b.run("document.activeElement.blur()")
    b.key("s")
    end = time.time() + 20
    while not os.path.exists(os.path.join(folder, "screenshot-0001.png")) and time.time() < end:
        time.sleep(0.05)
    check("the key s makes a screenshot", os.path.exists(os.path.join(folder, "screenshot-0001.png")))
    check("and says so", b.wait("document.getElementById('done').textContent.includes('screenshot-0001.png')"))
    b.key("?")
    check("keys are listed", b.run("document.getElementById('help').open && document.querySelectorAll('#keys tr').length === 5"))
    b.click("document.querySelector('#help button')")
    dark = b.run("document.documentElement.classList.contains('dark')")
    b.key("t")
    check("the theme changes", b.run("document.documentElement.classList.contains('dark')") is not dark)
    b.screenshot(screenshots, "control-other-theme")
    b.call("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=1, mobile=False)
    check("nothing is wider than a narrow screen", b.run("document.documentElement.scrollWidth <= 360"))
    b.screenshot(screenshots, "control-narrow")


def look_at_end(b, program):
    program.terminate()
    check("the page says when the program has ended", b.wait("!document.getElementById('gone').hidden"))


def main():
    build, screenshots = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory() as profile, tempfile.TemporaryDirectory() as folder:
        program, address = start(build, folder)
        b = Browser(profile)
        try:
            b.open(os.devnull)
            b.call("Page.navigate", url=address)
            look_at_figures(b, screenshots)
            look_at_settings(b)
            look_at_actions(b, folder, screenshots)
            look_at_end(b, program)
            check("no script fails", not b.problems)
            for problem in b.problems:
                print(problem)
        finally:
            b.close()
            program.kill()
            program.wait()
    raise SystemExit(golden_report.failed != 0)


main()
