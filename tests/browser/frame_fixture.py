"""A captured frame made by hand, for tests of the page: every kind of answer, with hostile strings.

    write(NOVEM, DIR)   a folder of `novem frame` whose answers are these: its index.html, DIR/data, DIR/images
    serve(NOVEM)        serves the page of `novem inspect` with these answers; returns the address and the Frame
    Inspector           a running `novem inspect`

A box of two colours is drawn on a blue ground, with a depth buffer, two textures, a cube, two shaders and markers.
"""
import base64
import http.server
import json
import os
import shutil
import struct
import subprocess
import threading
import urllib.request
import zlib

CAPTURE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../golden/captures/ui.trace")

WIDTH, HEIGHT = 96, 64
HOSTILE = "<img src=x onerror=window.hacked=1></script><script>window.hacked=1</script>&amp;\"'`"
EDIT = "0123456789abcdef"
CALLS = {"clear": 100, "ground": 110, "marked": 120, "box": 130, "copy": 140, "last": 150}


def png(width, height, pixels):
    """An RGBA PNG; pixels: function of x and y."""
    raw = b"".join(b"\0" + b"".join(bytes(pixels(x, y)) for x in range(width)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 6, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


def inside(x, y):
    return 30 <= x < 70 and 20 <= y < 50


def colour(stage):
    def at(x, y):
        if stage >= 2 and inside(x, y):
            return (224, 128, 32, 255) if x < 50 else (32, 128, 224, 128)
        if stage >= 1:
            return (x * 2, y * 3, 96, 255)
        return (16, 24, 64, 255)
    return at


def depth(stage):
    return lambda x, y: 0.9990 + 0.0008 * y / HEIGHT if stage >= 1 and inside(x, y) else 1.0


class Frame:
    def __init__(self):
        self.answers, self.files = {}, {}
        self.make_pictures()
        self.make_events()
        self.make_rest()

    def picture(self, name, width, height, pixels, format, floats=None):
        file = f"images/{name}.png"
        self.files[file] = png(width, height, pixels)
        bytes_of = [pixels(x, y) for y in range(height) for x in range(width)]
        answer = {"file": file, "format": format, **{name: [of(p[k] for p in bytes_of) / 255 for k in range(4)] for name, of in (("min", min), ("max", max))}}
        if floats:
            answer["raw"] = f"images/{name}.f32"
            values = [floats(x, y) for y in range(height) for x in range(width)]
            self.files[answer["raw"]] = b"".join(struct.pack("<4f", v, v, v, 1) for v in values)
            answer["min"], answer["max"] = [min(values)] * 4, [max(values)] * 4
        return answer

    def make_pictures(self):
        grey = lambda stage: lambda x, y: (*[int(255 * depth(stage)(x, y))] * 3, 255)
        self.colour = [self.picture(f"colour{i}", WIDTH, HEIGHT, colour(i), "A8R8G8B8") for i in range(3)]
        self.depth = [self.picture(f"depth{i}", WIDTH, HEIGHT, grey(i), "D24S8", depth(i)) for i in range(2)]
        checks = lambda size, a, b: lambda x, y: a if (x // size + y // size) & 1 else b
        for level in range(3):
            self.answers[f"resource/3/end/0/{level}/0"] = self.picture(
                f"wood{level}", 16 >> level, 16 >> level, checks(4 >> level or 1, (180, 120, 60, 255), (90, 60, 30, 64)), "A8R8G8B8")
        for face in range(6):
            self.answers[f"resource/4/end/{face}/0/0"] = self.picture(
                f"sky{face}", 8, 8, lambda x, y: (40 * face, 255 - 40 * face, 30 * x, 255), "X8R8G8B8")
        for which in (1, 2):
            self.answers[f"resource/{which}/end/0/0/0"] = self.colour[2] if which == 1 else self.depth[1]
        for resource in (1, 2, 3, 4):  # a server answers after each call, too
            for key in [k for k in self.answers if k.startswith(f"resource/{resource}/end/")]:
                for call in CALLS.values():
                    self.answers[key.replace("/end/", f"/{call}/")] = self.answers[key]
        self.answers[f"event/{CALLS['box']}/overlay/draw"] = self.picture(
            "overlay", WIDTH, HEIGHT, lambda x, y: (255, 0, 255, 160) if inside(x, y) else (0, 0, 0, 0), "A8R8G8B8")

    def targets(self, before, after, z_before=0, z_after=0):
        place = {"face": 0, "level": 0, "width": WIDTH, "height": HEIGHT, "samples": 1}
        return [{"slot": "target 0", "resource": 1, "format": "A8R8G8B8", **place, "before": self.colour[before], "after": self.colour[after]},
                {"slot": "depth", "resource": 2, "format": "D24S8", **place, "before": self.depth[z_before], "after": self.depth[z_after]}]

    def make_events(self):
        c = CALLS
        targets = [{"slot": "target 0", "resource": 1}, {"slot": "depth", "resource": 2}]

        def event(call, kind, what, name, depth=0, **more):
            return {"call": call, "kind": kind, "name": name, "what": what, "pass": 0 if call < c["copy"] else 1, "depth": depth,
                    "targets": targets, "changed": 0, **more}

        draw = "IDirect3DDevice9::DrawIndexedPrimitive"
        self.answers["frame"] = {
            "capture": "box " + HOSTILE + ".trace", "program": "box.exe " + HOSTILE, "frame": 2, "frames": 4, "width": WIDTH,
            "height": HEIGHT, "novem": "1.0", "numerics": 1, "live": False,
            "film": [{"frame": i, "draws": 3 + i} for i in range(4)],
            "events": [
                event(c["clear"], "clear", "clear colour and depth", "IDirect3DDevice9::Clear"),
                event(105, "begin", "Ground " + HOSTILE, "D3DPERF_BeginEvent", colour="#20a040"),
                event(c["ground"], "draw", "draw 2 triangles", draw, 1, primitives=2, vertices=4),
                event(112, "end", "", "D3DPERF_EndEvent"),
                event(c["marked"], "mark", "Mark " + HOSTILE, "D3DPERF_SetMarker"),
                event(125, "begin", "Things", "D3DPERF_BeginEvent"),
                event(c["box"], "draw", "draw 12 triangles", draw, 1, primitives=12, vertices=8, changed=2),
                event(c["copy"], "copy", "copy to surface 5", "IDirect3DDevice9::StretchRect", 1),
                event(c["last"], "draw", "draw a triangle " + HOSTILE, draw, 1, primitives=1, vertices=3),
                event(155, "end", "", "D3DPERF_EndEvent")],
            "passes": [{"first": 0, "last": 6, "targets": targets, "what": "to target 1 " + HOSTILE},
                       {"first": 7, "last": 9, "targets": targets, "what": "to target 1, again"}]}
        base = {e["call"]: e for e in self.answers["frame"]["events"]}
        more = {
            c["clear"]: {"targets": self.targets(0, 0), "arguments": [["Color", "0xff101840"], ["Z", "1"]]},
            c["ground"]: {"targets": self.targets(0, 1), **self.drawn(False)},
            c["marked"]: {"targets": []},
            c["box"]: {"targets": self.targets(1, 2, 0, 1), "overlays": ["draw"], **self.drawn(True)},
            c["copy"]: {"targets": self.targets(2, 2, 1, 1)},
            c["last"]: {"targets": self.targets(2, 2, 1, 1), **self.drawn(True)}}
        for call, extra in more.items():
            self.answers[f"event/{call}"] = {**base[call], **extra}

    def drawn(self, textured):
        state = lambda group, name, value, default, changed, before=None: {
            "group": group, "name": name, "value": value, "default": default, "changed": changed,
            **({"before": before} if before else {})}
        states = [state("render state", "ZFUNC", "LESSEQUAL", True, False),
                  state("render state", "CULLMODE", "NONE", False, textured, "CCW"),
                  state("render state", "ALPHABLENDENABLE", "TRUE", False, False),
                  state("sampler 0", "MAGFILTER", "LINEAR " + HOSTILE, False, textured, "POINT"),
                  state("viewport", "Width", str(WIDTH), True, False)]
        constant = lambda n, name, value, changed=False: {"register": n, "name": name, "value": value, "changed": changed}
        return {
            "arguments": [["Type", "D3DPT_TRIANGLELIST"], ["NumVertices", "8"], ["PrimitiveCount", HOSTILE]],
            "states": states, "textures": [{"sampler": "0", "resource": 3}, {"sampler": "1", "resource": 4}] if textured else [],
            "shaders": {"vertex": "00000000000000aa", "pixel": "00000000000000bb"},
            "constants": {
                "vertex": {"float": [constant(i, "world[%d] " % i + HOSTILE if i == 0 else None, [1.5, 0, i, 1e-9], i == 0) for i in range(4)],
                           "int": [constant(0, "loops", [4, 0, 1, 0])], "bool": [constant(0, "lit", True)]},
                "pixel": {"float": [constant(0, "tint", [1, 0.5, "nan", "inf"])], "int": [], "bool": []}},
            "streams": [{"stream": 0, "resource": 6, "offset": 0, "stride": 24, "frequency": 1}],
            "indices": {"resource": 7, "format": "INDEX16"},
            "declaration": [{"stream": 0, "offset": 0, "type": "FLOAT3", "method": "DEFAULT", "usage": "POSITION", "index": 0}]}

    def make_rest(self):
        c = CALLS
        corners = [(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]
        out = [(x, y, z + 3, z + 3.0) for x, y, z in corners]
        mesh = {"topology": "TRIANGLELIST", "primitives": 12, "cut": False,
                "indices": [0, 1, 2, 2, 1, 3, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5, 2, 3, 6, 6, 3, 7, 0, 2, 4, 4, 2, 6, 1, 5, 3, 3, 5, 7],
                "in": {"columns": ["POSITION0.x", "POSITION0.y", "POSITION0.z", "TEXCOORD0.x", HOSTILE], "rows": [[*p, 0.25, "nan"] for p in corners]},
                "out": {"columns": ["x", "y", "z", "w"], "rows": out},
                "screen": [[48 + 30 * x / w, 32 - 30 * y / w, z / w, w] for x, y, z, w in out], "culled": [2, 3]}
        self.answers[f"mesh/{c['box']}"] = mesh
        self.answers[f"mesh/{c['ground']}"] = {**mesh, "primitives": 2, "indices": None, "topology": "TRIANGLESTRIP", "culled": []}

        def resource(id, kind, writes=(), reads=(), **more):
            return {"id": id, "kind": kind, "format": "A8R8G8B8", "width": 16, "height": 16, "depth": 1, "levels": 1, "faces": 1, "samples": 1,
                    "usage": "", "pool": "DEFAULT", "bytes": 1024, "writes": [{"call": n, "how": how} for n, how in writes],
                    "reads": [{"call": n, "how": how} for n, how in reads], **more}

        draws = [(c["ground"], "draw"), (c["box"], "draw"), (c["last"], "draw")]
        self.answers["resources"] = {"resources": [
            resource(1, "surface", [(c["clear"], "clear"), *draws], [(c["copy"], "copy")], width=WIDTH, height=HEIGHT, usage="RENDERTARGET " + HOSTILE),
            resource(2, "depth", [(c["clear"], "clear"), *draws], format="D24S8", width=WIDTH, height=HEIGHT),
            resource(3, "texture", [], [(c["box"], "texture"), (c["last"], "texture")], levels=3, bytes=1344),
            resource(4, "cube", [], [(c["box"], "texture")], format="X8R8G8B8", width=8, height=8, faces=6),
            resource(5, "surface", [(c["copy"], "copy")], []),
            resource(6, "buffer", [], [(c["box"], "vertices")], format="", width=0, height=0, bytes=192),
            resource(7, "indices", [], [(c["box"], "indices")], format="INDEX16", width=0, height=0, bytes=72),
            resource(8, "texture")]}
        line = lambda text, instruction=True, source=None: {"text": text, "instruction": instruction, **({"source": source} if source else {})}
        self.answers["shader/00000000000000aa"] = {
            "id": "00000000000000aa", "kind": "vertex", "version": "vs_2_0", "draws": [c["ground"], c["box"], c["last"]],
            "lines": [line("vs_2_0", False), line("dcl_position v0", False), line("m4x4 oPos, v0, c0"), line("mov oT0, v0 // " + HOSTILE)]}
        self.answers["shader/00000000000000bb"] = {
            "id": "00000000000000bb", "kind": "pixel", "version": "ps_2_0", "draws": [c["ground"], c["box"], c["last"]],
            "lines": [line("ps_2_0", False), line("dcl_2d s0", False), line("texld r0, t0, s0", True, 7), line("mul r0, r0, c0", True, 8),
                      line("mov oC0, r0", True, 9)]}
        self.answers["costs"] = {
            "events": [{"call": call, "vertices": v, "primitives": p, "culled": 2, "clipped": 0, "drawn": p, "covered": n, "tested": n,
                        "shaded": n, "written": n - 4, "samples": n, "vertex_instructions": 8 * v, "pixel_instructions": 3 * n, "seconds": n * 1e-7}
                       for call, v, p, n in ((c["ground"], 4, 2, 6144), (c["box"], 8, 12, 1200), (c["last"], 3, 1, 4))],
            "shaders": [{"id": "00000000000000aa", "kind": "vertex", "draws": 3, "invocations": 15, "instructions": 120, "samples": 0, "seconds": 1e-6, "lines": [0, 0, 15, 15]},
                        {"id": "00000000000000bb", "kind": "pixel", "draws": 3, "invocations": 7348, "instructions": 22044, "samples": 7348,
                         "seconds": 5e-4, "lines": [0, 0, 7348, 7000, 3500]}],
            "targets": [{"resource": 1, "overdraw": 1.196}]}
        compared = lambda call, a, b, pixels: {"call": call, "reference": self.colour[a], "picture": None if b is None else self.colour[b],
                                               **({"pixels": pixels, "max": 208 if pixels else 0} if b is not None else {})}
        self.answers["candidate"] = {"command": "other {capture} {calls} {out} " + HOSTILE, "first": c["box"], "missing": 1, "events": [
            compared(c["clear"], 0, 0, 0), compared(c["ground"], 1, None, 0), compared(c["box"], 2, 1, 1200), compared(c["last"], 2, 1, 1200)]}
        self.make_live()

    def make_live(self):
        c = CALLS
        rgba = lambda *v: [{"raw": "0x" + "".join("%02x" % int(255 * x) for x in v), "rgba": list(v)}]
        before, after = rgba(0.2, 0.3, 0.4, 1), rgba(0.875, 0.5, 0.125, 1)
        primitive = lambda n, outcome, passed: {
            "primitive": n, "instance": 0 if n else 2, "outcome": outcome, "tests": [{"test": "depth", "samples": 1, "passed": passed}],
            "shader": [0.875, 0.5, 0.125, 1], "before": {"target 0": before}, "after": {"target 0": after}}
        self.history = {
            "points": [{"surface": 1, "face": 0, "level": 0, "x": 40, "y": 30, "end": c["box"], "format": "A8R8G8B8", "start": rgba(0, 0, 0, 0), "final": after,
                        "events": [{"call": c["clear"], "name": "Clear", "what": "clear " + HOSTILE, "target": "target 0", "exact": True,
                                    "before": {"target 0": rgba(0, 0, 0, 0)}, "after": {"target 0": before}},
                                   {"call": c["box"], "name": "DrawIndexedPrimitive", "what": "draw 12 triangles", "target": "target 0", "exact": True,
                                    "before": {"target 0": before}, "after": {"target 0": after},
                                    "primitives": [primitive(0, "written", 1), primitive(3, "fails " + HOSTILE, 0)]}]}]}
        self.make_steps()
        for i in range(4):
            self.answers[f"film/{i}"] = self.colour[min(i, 2)]

    def make_steps(self):
        write = lambda register, mask, *value: {"register": register, "mask": mask, "value": list(value)}
        named = lambda name, *rest: {**write(*rest), "name": name}
        step = lambda line, *writes, **more: {"line": line, "writes": list(writes), **more}
        line = lambda text: {"text": text, "instruction": text[:3] not in ("ps_", "vs_", "dcl", "def")}
        lookup = {"sampler": 0, "name": "map " + HOSTILE, "resource": 3, "coordinates": [0.25, 0.5], "bias": -1, "value": [0.7, 0.47, 0.23, None]}
        self.pixel_steps = {
            "call": CALLS["box"], "stage": "pixel", "x": 40, "y": 30, "primitive": 0, "instance": 2, "shader": "00000000000000bb", "version": "ps_3_0 " + HOSTILE,
            "fixed": False, "killed": True, "cut": False,
            "lines": [line(t) for t in ("ps_3_0", "dcl_2d s0", "texldb r0, v0, s0", "rep i0", "mul r0.xyz, r0, c10", "endrep", "(p0) mov r0.w, c2 // " + HOSTILE,
                                        "if b0", "mov r0, c2", "endif", "texkill r0", "mov oC0, r0")],
            "inputs": [named("TEXCOORD0 " + HOSTILE, "v0", "xy", 0.25, 0.5)],
            "constants": [{"register": "c10", "name": "tint " + HOSTILE, "value": [2, 2, 2, 1]}, {"register": "c2", "value": [0, "nan", "-inf", 1e-9], "defined": True},
                          {"register": "i0", "value": [2, 0, 0, 0], "defined": True}, {"register": "b0", "value": False}],
            "steps": [step(2, write("r0", "xyzw", 0.7, 0.47, 0.23, 1), textures=[lookup]), step(3), step(4, write("r0", "xyz", 1.4, 0.94, 0.46)), step(5),
                      step(4, write("r0", "xyz", 2.8, 1.88, 0.46)), step(5), step(6, predicate=""), step(7), step(10, first=9, killed=True),
                      step(11, write("oC0", "xyzw", 2.8, 1.88, 0.46, 1))],
            "outputs": [write("oC0", "xyzw", 2.8, 1.88, 0.46, 1), write("oDepth", "x", 0.5)]}
        self.vertex_steps = {
            "call": CALLS["box"], "stage": "vertex", "vertex": 2, "instance": 0, "shader": "00000000000000aa", "version": "vs_2_0", "fixed": True, "killed": False,
            "cut": True, "lines": [line("vs_2_0"), line("m4x4 oPos, v0, c0")], "inputs": [named("POSITION0", "v0", "xyz", 1, 2, 3)], "constants": [],
            "steps": [step(1, write("oPos", "xyzw", 1, 2, 3, "inf"))], "outputs": [named("POSITION0", "oPos", "xyzw", 1, 2, 3, "inf")]}
        self.no_steps = {"call": CALLS["box"], "stage": "pixel", "why": "The draw has no " + HOSTILE}

    def steps(self, key):
        """Primitive 0 of instance 2, and vertices: they have steps."""
        return self.pixel_steps if key.endswith("/pixel/40/30/0/2") else self.vertex_steps if "/vertex/" in key else self.no_steps

    def edit(self, body):
        """The answer to a change of a draw, with its status; the request itself is kept."""
        self.request = json.loads(body)
        if any("BAD" in s for s in self.request["set"]):
            return 400, {"error": "there is no state " + HOSTILE}
        return 200, {"edit": EDIT, "command": "novem edit 'x" + HOSTILE + "' --call %d" % self.request["call"]}

    def edited(self, key):
        """An answer with the change: the box is not drawn."""
        answer = self.answers.get(key)
        if key.startswith("event/"):
            return {**answer, "targets": self.targets(1, 1, 0, 0)}
        return self.colour[1] if key == "resource/1/end/0/0/0" else answer

    def live(self, key):
        """An answer that a server alone has."""
        if key.startswith(f"edit/{EDIT}/"):
            return self.edited(key[len(f"edit/{EDIT}/"):])
        if key.startswith("pixel/"):
            return self.history
        if key.startswith("steps/"):
            return self.steps(key)
        return self.answers.get(key)


class Inspector:
    """`novem inspect` without a browser, while a with statement runs; `address` ends with a slash."""

    def __init__(self, novem, capture):
        self.process = subprocess.Popen([novem, "inspect", capture, "--no-browser"], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


def write_frame(novem, capture, frame, folder):
    subprocess.run([novem, "frame", capture, "--frame", str(frame), "-o", folder], check=True, stdout=subprocess.DEVNULL)


def write(novem, folder):
    frame = Frame()
    write_frame(novem, CAPTURE, 0, folder)
    os.remove(os.path.join(folder, "frame.json"))
    for name in ("data", "images"):
        shutil.rmtree(os.path.join(folder, name))
        os.makedirs(os.path.join(folder, name))
    answers = dict(frame.answers)
    for name, content in frame.files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
        key, kind = os.path.splitext(os.path.basename(name))
        entry = answers.setdefault(key, {})
        if kind == ".f32":
            kind, content = ".planes", zlib.compress(b"".join(content[k::16] for k in range(16)))
        entry[kind[1:]] = base64.b64encode(content).decode()
    for key, value in answers.items():
        if key.startswith("film/"):
            continue
        path = os.path.join(folder, "data", key + ".js")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("answer(%s, %s);\n" % (json.dumps(key), json.dumps(value).replace("<", "\\u003c")))
    return frame


def serve(novem):
    frame = Frame()
    with Inspector(novem, CAPTURE) as inspector, urllib.request.urlopen(inspector.address) as answer:
        html, policy = answer.read(), answer.headers["Content-Security-Policy"]

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def answer(self, path):
            if path == "/token/":
                return "text/html", html
            if path.startswith("/token/data/"):
                found = frame.live(path[len("/token/data/"):])
                return "application/json", None if found is None else json.dumps(found).encode()
            return "application/octet-stream", frame.files.get(path[len("/token/"):])

        def do_GET(self):
            kind, body = self.answer(self.path.split("?")[0])
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Security-Policy", policy)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def do_POST(self):
            length = int(self.headers["Content-Length"])
            own = self.headers["Origin"] == f"http://{self.headers['Host']}" and self.headers["Content-Type"] == "application/json"
            status, found = frame.edit(self.rfile.read(length)) if own and self.path.split("?")[0] == "/token/edit" else (403, {})
            body = json.dumps(found).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/token/", frame
