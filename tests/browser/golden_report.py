#!/usr/bin/env python3
"""Clicks through a report of `novem golden` in a headless Chromium, opened from disk.

    golden_report.py REPORT.html CASE [SCREENSHOTS]

CASE is one that differs and has a reference and a candidate. Chromium is driven through its debugging
pipe; only the standard library is used. Prints a line a check, and exits with 1 if one is not met.
"""
import base64
import json
import os
import subprocess
import sys
import tempfile
import time


class Browser:
    def __init__(self, profile):
        to_browser, self.out = os.pipe()
        self.inp, from_browser = os.pipe()

        def arrange():
            os.dup2(to_browser, 13)
            os.dup2(from_browser, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--user-data-dir=" + profile, "--window-size=1400,900", "--disable-dev-shm-usage", "about:blank"],
            preexec_fn=arrange, pass_fds=(3, 4), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.rest, self.session = 0, b"", None
        self.problems = []

    def receive(self):
        while b"\0" not in self.rest:
            piece = os.read(self.inp, 1 << 16)
            if not piece:
                raise SystemExit("the browser is gone")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("method") == "Runtime.exceptionThrown":
                self.problems.append(str(answer["params"]["exceptionDetails"].get("exception", {}).get("description")))
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, path):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Runtime.enable")
        self.call("Page.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=1400, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Page.navigate", url="file://" + os.path.abspath(path))

    def run(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            self.problems.append(str(result["exceptionDetails"]))
            return None
        return result["result"].get("value")

    def wait(self, script, seconds=20):
        end = time.time() + seconds
        while time.time() < end:
            value = self.run(script)
            if value:
                return value
            time.sleep(0.05)
        return None

    def centre(self, selector):
        return self.run(f"""(() => {{ const e = {selector}; e.scrollIntoView({{block: 'nearest'}});
            const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()""")

    def mouse(self, kind, x, y):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="none" if kind == "mouseMoved" else "left",
                  clickCount=0 if kind == "mouseMoved" else 1)

    def click(self, selector):
        x, y = self.centre(selector)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.mouse(kind, x, y)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def screenshot(self, folder, name):
        if folder:
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, name + ".png"), "wb") as file:
                file.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def close(self):
        self.process.terminate()
        self.process.wait()


failed = 0


def check(what, good):
    global failed
    failed += not good
    print(("ok   " if good else "FAIL ") + what, flush=True)


def button(name):
    return f"[...document.querySelectorAll('#modes button')].find(b => b.textContent === '{name}')"


def count_views(b):
    return b.run("document.querySelectorAll('#views figure').length")


def look_at_list(b, records, name):
    names = b.run("[...document.querySelectorAll('#list li span:first-child')].map(e => e.textContent)")
    shown = [r["case"] for r in records if r["verdict"] != "pass" or all(o["verdict"] == "pass" for o in records)]
    check("the list has the cases that did not pass", names == shown)
    for box in range(b.run("document.querySelectorAll('#kinds input').length")):
        if not b.run(f"document.querySelectorAll('#kinds input')[{box}].checked"):
            b.click(f"document.querySelectorAll('#kinds input')[{box}]")
    check("boxes show all cases", b.run("document.querySelectorAll('#list li').length") == len(records))
    b.click("document.getElementById('search')")
    b.type(name)
    names = b.run("[...document.querySelectorAll('#list li span:first-child')].map(e => e.textContent)")
    check("the search narrows the list", names == [r["case"] for r in records if name in r["case"]])


def look_at_pixels(b, record):
    x, y = record["box"][0], record["box"][1]
    b.click(button("side by side"))
    b.run("document.getElementById('zoom').value = '8'; document.getElementById('zoom').onchange()")
    at = b.run("(() => { const b = document.querySelector('.stack').getBoundingClientRect(); return [b.x, b.y]; })()")
    b.mouse("mouseMoved", at[0] + 1 + 8 * x + 4, at[1] + 1 + 8 * y + 4)
    text = b.run("document.getElementById('pixel').textContent")
    check("the pixel's values are told", text.startswith(f"{x}, {y} ") and "reference" in text and "distance" in text)
    distance = [int(v) for v in text.split("distance")[1].split()[:4]]
    check("and that it differs", 0 < max(distance) <= record["max"])
    box = b.run("(() => { const s = document.querySelector('.box').style; return [s.left, s.top, s.width, s.height]; })()")
    x1, y1 = record["box"][2], record["box"][3]
    check("the box lies around what differs",
          box == [f"{8 * x}px", f"{8 * y}px", f"{8 * (x1 - x)}px", f"{8 * (y1 - y)}px"])
    b.click("document.getElementById('boxed')")
    check("and can be switched off", b.run("!document.querySelector('.box')"))
    b.click("document.getElementById('boxed')")


def sum_of_canvas(b):
    return b.run("""(() => { const c = document.querySelector('.stack canvas');
        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i] + d[i + 1] + d[i + 2] > 0; return n; })()""")


def look_at_modes(b, record, screenshots):
    check("side by side has reference, candidate, difference", count_views(b) >= 3)
    b.screenshot(screenshots, "side-by-side")
    for mode in ("difference", "heat"):
        b.click(button(mode))
        check(f"{mode} lights the pixels that differ",
              count_views(b) == 1 and sum_of_canvas(b) == record["differing"] + record["in-mask"])
        b.screenshot(screenshots, mode)
    b.click(button("slider"))
    x, y = b.centre("document.getElementById('slider')")
    b.mouse("mousePressed", x - 40, y)
    b.mouse("mouseReleased", x - 40, y)
    clip = b.run("document.querySelector('.stack canvas + canvas').style.clipPath")
    left = b.run("document.getElementById('slider').value / 10")
    check("the slider cuts the candidate's picture", left < 50 and clip.endswith(f" {left:g}%)"))
    b.screenshot(screenshots, "slider")
    b.click(button("blink"))
    seen = {b.run("document.querySelector('figcaption').textContent")}
    end = time.time() + 3
    while time.time() < end and len(seen) < 2:
        seen.add(b.run("document.querySelector('figcaption').textContent"))
    check("blink shows both by turns", seen == {"reference", "candidate"})


def main():
    page, name = sys.argv[1:3]
    screenshots = sys.argv[3] if len(sys.argv) > 3 else None
    with open(os.path.join(os.path.dirname(page), "results.jsonl"), encoding="utf-8") as file:
        records = [json.loads(line) for line in file][1:]
    record = next(r for r in records if r["case"] == name)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        b = Browser(profile)
        b.open(page)
        check("the page opens from disk", b.wait("document.querySelectorAll('#list li').length > 0"))
        look_at_list(b, records, name)
        b.click("document.querySelector('#list li')")
        check("a click shows the case", b.run("document.getElementById('name').textContent") == name)
        check("its pictures come", b.wait("state.planes && !!state.planes.candidate && !document.getElementById('tools').hidden"))
        facts = b.run("document.getElementById('facts').textContent")
        check("the metrics are there", f"differing{record['differing']}" in facts and "tolerance" in facts)
        look_at_modes(b, record, screenshots)
        look_at_pixels(b, record)
        check("nothing was thrown" + "".join(": " + p for p in b.problems), not b.problems)
        b.close()
    sys.exit(failed > 0)


main()
