#!/usr/bin/env python3
"""Tests the control panel of a running example: figures, settings, actions, ports, and the program's end.

    control.py BUILD [wine | wine32]    native, or with our 64-bit or 32-bit d3d9.dll under Wine

Prints each check that fails and exits with 1 if there is one.
"""
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

PATIENCE = 60  # seconds for a busy machine
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # past a proxy that the environment names
failed = 0


def check(what, good, about=""):
    global failed
    if not good:
        failed += 1
        print(f"FAIL {what} {about}", flush=True)


def soon(question, seconds=PATIENCE):
    """The first true answer within the time, else the last one."""
    end = time.time() + seconds
    while not (answer := question()) and time.time() < end:
        time.sleep(0.05)
    return answer


class Program:
    """An example that runs until its frames are drawn or it is ended."""

    def __init__(self, build, kind, folder, port, frames=0, **settings):
        self.folder = folder
        name = os.path.join(build, {"": "examples/lit", "wine": "win64/lit.exe", "wine32": "win32/lit.exe"}[kind])
        self.frames = f"novem-control-{port}-{time.time_ns()}"
        env = {**os.environ, "NOVEM_CONTROL": str(port), "NOVEM_LOG": "info", "NOVEM_THREADS": "1",
               "NOVEM_SINK": "window" if kind else "shm:" + self.frames,
               "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "d3d9=n;winedbg.exe=d",
               **{"NOVEM_" + k: v for k, v in settings.items()}}
        wine = ["xvfb-run", "-a", "wine"] if kind else []
        self.log = open(os.path.join(folder, f"log-{time.time()}"), "w+")
        self.process = subprocess.Popen([*wine, os.path.abspath(name), "--size", "64x64", "--frames", str(frames or 100000)], cwd=folder,
                                        env=env, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True)
        line = soon(lambda: re.search(r"control panel: http://127\.0\.0\.1:(\d+)/", self.text()) or self.process.poll() is not None)
        self.port = int(line[1]) if isinstance(line, re.Match) else 0
        check("the log names the address", self.port, self.text())

    def text(self):
        with open(self.log.name) as file:
            return file.read()

    def ask(self, path, form=None, host=None, **headers):
        """Status and text of an answer."""
        data = urllib.parse.urlencode(form).encode() if form is not None else None
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/{path}", data, {k.replace("_", "-"): v for k, v in headers.items()})
        if host:
            request.add_header("Host", host)
        try:
            with DIRECT.open(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def figures(self):
        return json.loads(self.ask("figures")[1])

    def device(self):
        return self.figures()["devices"][0]

    def token(self):
        return re.search(r'token: "([0-9a-f]{32})"', self.ask("")[1])[1]

    def set(self, name, value):
        return json.loads(self.ask("set", {"name": name, "value": value}, X_Novem_Token=self.token())[1])

    def end(self):
        """Ends the program: Wine's programs outlive their launcher, so by the process of the figures."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, 15)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, 9)
            self.process.wait()
        self.log.close()
        if os.path.exists(f"/dev/shm/novem-{self.frames}"):
            os.remove(f"/dev/shm/novem-{self.frames}")


def free_port():
    """The first of some free ports in a row."""
    for port in range(20000 + os.getpid() % 20000, 60000, 16):
        try:
            for i in range(4):
                with socket.socket() as s:
                    s.bind(("127.0.0.1", port + i))
            return port
        except OSError:
            pass
    raise SystemExit("no free ports")


def look_at_figures(p):
    first = soon(lambda: p.figures()["devices"]) and p.device()
    check("there is a device", first.get("number") == 1, first)
    check("frames go on", soon(lambda: p.device()["frames"] > first["frames"]))
    now = soon(lambda: (d := p.device())["mean_us"] and d)
    check("times are measured", now and 0 < now["mean_us"] <= now["worst_us"] and 0 < len(now["times_us"]) <= 180, now)
    check("the picture is the device's", (now["width"], now["height"], now["threads"]) == (64, 64, 1), now)
    check("draws are counted", now["draws"] > 0 and now["primitives"] > 0 and now["bytes"] > 64 * 64 * 4, now)
    check("the program has its name", p.figures()["program"].startswith("lit"), p.figures()["program"])


def look_at_settings(p):
    settings = {s["name"]: s for s in json.loads(p.ask("settings")[1])}
    check("settings have values and origins", settings["THREADS"]["value"] == "1" and settings["THREADS"]["origin"] == "NOVEM_THREADS")
    check("some are live, others are not", settings["HUD"]["live"] and not settings["SIMD"]["live"])
    check("a setting changes", p.set("HUD", "fps,draws") == {"ok": True} and p.figures()["changes"] == 1)
    p.set("FRAME_LIMIT", "4")
    check("the frame limit is in force", soon(lambda: p.device()["mean_us"] >= 200000), p.device())
    p.set("FRAME_LIMIT", "0")
    check("another one is refused", "restart" in p.set("SIMD", "scalar").get("error", ""))
    check("the page is whole", p.ask("")[1].rstrip().endswith("</html>"))


def look_at_strangers(p):
    form, token = {"name": "HUD", "value": ""}, p.token()
    check("another host is refused", p.ask("figures", host=f"evil.example:{p.port}")[0] == 403)
    check("a form without the token is refused", p.ask("set", form)[0] == 403)
    check("another site's form is refused", p.ask("set", form, X_Novem_Token=token, Origin="http://evil.example")[0] == 403)
    check("no file is found", p.ask("../../etc/passwd")[0] == 404)
    check("nothing has changed", p.figures()["changes"] == 3)
    with socket.create_connection(("127.0.0.1", p.port)) as s:
        s.sendall(b"\0\xff nonsense\r\n\r\n")
        s.settimeout(PATIENCE)
        check("nonsense is a bad request", s.recv(100).startswith(b"HTTP/1.1 400"))


def look_at_actions(p):
    token = p.token()
    for name, file in (("screenshot", "screenshot-0001.png"), ("capture", "capture-0001.trace")):
        done = p.ask("act", {"name": name}, X_Novem_Token=token)
        check(f"{name} is accepted", done[0] == 200, done)
        check(f"{name} makes a file", soon(lambda: os.path.exists(os.path.join(p.folder, file))), p.text())


def look_at_end(build, kind, folder):
    """A program ends although connections to its panel are open."""
    p = Program(build, kind, folder, 0, frames=40)
    idle = []
    for i in range(5):
        try:
            idle.append(socket.create_connection(("127.0.0.1", p.port)))
            idle[-1].sendall(b"GET / HTTP"[:2 * i])
        except OSError:
            break  # it has ended already
    try:
        check("the program ends", p.process.wait(PATIENCE) == 0, p.text())
    except subprocess.TimeoutExpired:
        check("the program ends", False, p.text())
    for s in idle:
        s.close()
    p.end()


def main():
    build, kind = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        first = Program(build, kind, folder, port)
        try:
            check("the port is that of the setting", first.port == port, first.text())
            look_at_figures(first)
            look_at_settings(first)
            look_at_strangers(first)
            look_at_actions(first)
            second = Program(build, kind, folder, port)
            check("another program takes the next port", second.port == port + 1, second.text())
            check("and runs", soon(lambda: second.device()["frames"] > 0))
            second.end()
        finally:
            first.end()
        look_at_end(build, kind, folder)
    raise SystemExit(failed != 0)


main()
