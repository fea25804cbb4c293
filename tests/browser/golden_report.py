#!/usr/bin/env python3
"""Tests a report of `novem golden`, opened from disk, in headless Chromium.

    golden_report.py REPORT.html CASE [SCREENSHOTS]

CASE must differ and have a reference and a candidate, as in run.sh. The script drives Chromium through
its debugging pipe with real clicks and keys; it needs only the standard library. It prints one line per
check and exits with 1 if a check fails.
"""
import base64
import json
import os
import subprocess
import sys
import tempfile
import time
import zlib


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

    def key(self, key):
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def text(self, id):
        return self.run(f"document.getElementById('{id}').textContent")

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


ROWS = "[...document.querySelectorAll('#list .row b')].map(e => e.textContent)"
PANES = "[...document.querySelectorAll('.pane h3')].map(e => e.firstChild?.textContent ?? '')"
SETTLED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def look_at_list(b, records, record):
    names = b.run(ROWS)
    check("the list has all cases", sorted(names) == sorted(r["case"] for r in records))
    verdicts = [next(r["verdict"] for r in records if r["case"] == n) for n in names]
    check("failures come before passes", verdicts == sorted(verdicts, key=lambda v: v == "pass"))
    b.click("document.querySelector('#verdicts [data-verdict=pass]')")
    check("a verdict can be selected", b.run(ROWS) == [r["case"] for r in records if r["verdict"] == "pass"])
    b.click("document.querySelector('#verdicts [data-verdict=pass]')")
    b.key("/")
    b.type(record["case"] + " " + str(record["max"]))
    check("words of name and message filter the list", b.run(ROWS) == [record["case"]])
    check("and the count shows it", b.text("count") == f"1 of {len(records)} cases")
    b.click("document.querySelector('#list .row')")
    check("a click shows the case", b.wait(f"document.body.dataset.ready === {json.dumps(record['case'])}"))
    check("with its name and message", b.text("name") == record["case"] and b.text("message") == record["message"])


def pixel_of(path, x, y):
    """Pixel of an RGBA file written by Novem: PNG filters None, Sub and Up."""
    with open(path, "rb") as file:
        png = file.read()
    at, packed = 8, b""
    while at < len(png):
        size, kind = int.from_bytes(png[at:at + 4], "big"), png[at + 4:at + 8]
        packed += png[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += 12 + size
    pitch = 4 * int.from_bytes(png[16:20], "big")
    raw, up = zlib.decompress(packed), bytes(pitch)
    for start in range(0, (y + 1) * (pitch + 1), pitch + 1):
        row = bytearray(raw[start + 1:start + 1 + pitch])
        for i in range(pitch):
            row[i] = (row[i] + (0, i >= 4 and row[i - 4], up[i])[raw[start]]) & 255
        up = row
    return list(up[4 * x:4 * x + 4])


def find_difference(b, record):
    """Position of the largest difference."""
    return b.run("""(() => { const [x0, y0, x1, y1] = Pictures.box;
        for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) for (let k = 0; k < 4; k++)
            if (Pictures.apart[4 * (y * Pictures.width + x) + k] === %d) return [x, y]; })()""" % record["max"])


def shows(b, *titles):
    return b.wait(f"String({PANES}) === '{','.join(titles)}'", 10)


def canvas_sum(b, source):
    """Number of pixels of a derived picture that are not black."""
    return b.run(f"""(() => {{ const c = SOURCES.{source}[1](), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i] + d[i + 1] + d[i + 2] > 0; return n; }})()""")


def seen(b, x, y):
    """Colour on the screen at a position of the first pane, 0 to 1."""
    return b.run(f"""{SETTLED}.then(() => {{ const c = document.querySelector('.pane canvas');
        return [...c.getContext('2d').getImageData({x} * c.width, {y} * c.height, 1, 1).data].join(); }})""")


def look_at_modes(b, record, screenshots):
    check("side by side has three panes", shows(b, "Reference", "Candidate", "Difference"))
    b.screenshot(screenshots, "side-by-side")
    check("the difference view shows the pixels that differ", canvas_sum(b, "difference") == record["differing"])
    check("so does the heat map", canvas_sum(b, "heat") == record["differing"])
    for key, title in (("4", "Difference"), ("5", "Heat"), ("6", "FLIP")):
        b.key(key)
        check(f"{key} shows {title}", shows(b, title))
        b.screenshot(screenshots, title.lower())
    b.key("a")
    b.key("1")
    check("alpha can be shown", shows(b, "Reference, alpha", "Candidate, alpha", "Difference"))
    b.key("a")
    check("FLIP ignores alpha", (canvas_sum(b, "flip") > 0) == record["colours"])


def look_at_slider(b, record, screenshots):
    b.click("document.querySelector('#modes [data-mode=slider]')")
    b.key("f")
    x, y = find_difference(b, record)
    b.run(f"View.x = {x} + 0.5; View.y = {y} + 0.5; View.draw()")
    pixels = [pixel_of(record[k], x, y) for k in ("reference", "candidate")]
    if not record["colours"]:
        b.key("a")
        pixels = [[p[3]] * 3 for p in pixels]
    files = [",".join(map(str, p[:3])) + ",255" for p in pixels]
    left = b.run("document.querySelector('.stage').getBoundingClientRect().left")
    right = b.run("document.querySelector('.stage').getBoundingClientRect().right")
    b.run(SETTLED)
    y = b.centre("document.getElementById('slider')")[1]

    def drag(to, wanted):
        b.run(SETTLED)
        x = b.centre("document.getElementById('slider')")[0]
        b.mouse("mouseMoved", x, y)
        b.mouse("mousePressed", x, y)
        b.call("Input.dispatchMouseEvent", type="mouseMoved", x=to, y=y, button="left", buttons=1)
        b.mouse("mouseReleased", to, y)
        return b.wait(f"document.getElementById('slider').getAttribute('aria-valuenow') {wanted}", 5)

    check("the slider goes to the left", drag(left + 30, "< 10"))
    b.mouse("mouseMoved", 5, 5)
    candidate = seen(b, 0.5, 0.5)
    check("and to the right", drag(right - 30, "> 90"))
    b.mouse("mouseMoved", 5, 5)
    reference = seen(b, 0.5, 0.5)
    check("it uncovers one picture, then the other", [reference, candidate] == files and reference != candidate)
    b.screenshot(screenshots, "slider")
    b.key("ArrowLeft")
    b.run(SETTLED)
    if not record["colours"]:
        b.key("a")
    check("keys move it", int(b.run("document.getElementById('slider').getAttribute('aria-valuenow')")) < 98)


def look_at_blink(b):
    b.key("3")
    titles, end = {""}, time.time() + 4
    while time.time() < end and len(titles) < 3:
        titles.update(b.run(PANES))
    check("blink alternates both pictures", titles == {"", "Reference", "Candidate"})


def part(b, name):
    return b.run(f"document.querySelector('#pixel [data-part={name}] b')?.textContent")


def look_at_pixels(b, record, screenshots):
    b.key("1")
    b.key("f")
    scale = b.run(f"{SETTLED}.then(() => View.scale)")
    b.key("+")
    check("keys zoom", b.run("View.scale") > scale)
    b.click("document.getElementById('zoom-box')")
    check("the box is centred", b.run("[View.x, View.y]") ==
          [(record["box"][i] + record["box"][i + 2]) / 2 for i in (0, 1)])
    stage = b.centre("document.querySelector('.stage')")
    differs = find_difference(b, record)
    scale, x, y = b.run("[View.scale, View.x, View.y]")
    b.mouse("mouseMoved", stage[0] + (differs[0] + 0.5 - x) * scale, stage[1] + (differs[1] + 0.5 - y) * scale)
    b.run(SETTLED)
    check("the position under the cursor is shown", part(b, "at") == f"{differs[0]}, {differs[1]}")
    values = {k: part(b, k).split()[:4] for k in ("reference", "candidate", "difference")}
    files = {k: [str(v) for v in pixel_of(record[k], *differs)] for k in ("reference", "candidate")}
    check("with the values that the files have", all(values[k] == files[k] for k in files))
    told = [int(q) - int(p) for p, q in zip(values["reference"], values["candidate"])]
    check("and their difference", told == [int(v) for v in values["difference"]] and max(map(abs, told)) == record["max"])
    check("and FLIP's error", 0 <= float(part(b, "FLIP")) <= 1)
    b.screenshot(screenshots, "zoom")


def look_at_rest(b, records, record, screenshots):
    facts = b.text("metrics") + b.text("details") + b.text("origin")
    for text in (f"{record['width']}×{record['height']}", f"Pixels that differ{record['differing']}", "FLIP mean", "SSIM",
                 "Tolerance" + record["tolerance"], "reference: Software"):
        check(f"the facts have: {text}", text in facts)
    check("the candidate's output is there", b.text("log") == "last words </script> & more")
    check("and the page of a pixel", b.wait("document.querySelector('#pages iframe')?.src.endsWith('/pixel%201%2C2.html')"))
    b.key("t")
    b.run(SETTLED)
    b.screenshot(screenshots, "dark")
    b.run("$('search').value = ''; List.filter()")
    first = b.text("name")
    b.key("j" if b.run("List.shown.at(-1).name") != first else "k")
    check("j and k select other cases", b.text("name") != first)
    b.run("$('order').value = 'name'; List.filter()")
    check("cases can be sorted by name", b.run(ROWS) == sorted(r["case"] for r in records))


def main():
    page, name = sys.argv[1:3]
    screenshots = sys.argv[3] if len(sys.argv) > 3 else None
    with open(os.path.join(os.path.dirname(page), "results.jsonl"), encoding="utf-8") as file:
        records = [json.loads(line) for line in file][1:]
    record = next(r for r in records if r["case"] == name)
    record["colours"] = name != "alpha"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        b = Browser(profile)
        b.open(page)
        check("the page opens from disk", b.wait("document.querySelectorAll('#list .row').length > 0"))
        look_at_list(b, records, record)
        look_at_modes(b, record, screenshots)
        look_at_slider(b, record, screenshots)
        look_at_blink(b)
        look_at_pixels(b, record, screenshots)
        look_at_rest(b, records, record, screenshots)
        check("no exception was thrown" + "".join(": " + p for p in b.problems), not b.problems)
        b.close()
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
