#!/usr/bin/env python3
"""Times answers of the inspector and the writing of frames, and prints a table for docs/inspect.md.

usage: scripts/bench_inspect.py NOVEM CAPTURE[:FRAME]...

Each figure is processor time (user and system) of all processes of the server. It is the least of three different
questions of a kind, rounded up to 10 ms, the unit of /proc. A question is answered by a process of its own; nothing of
an answer is kept for the next one, except by the replay that stands at the frame's start.
"""
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

TICK = os.sysconf("SC_CLK_TCK")


def processes():
    """Parent and processor time of each process, by its number."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        found[int(name)] = (int(fields[1]), sum(int(field) for field in fields[11:15]) / TICK)
    return found


def used(root):
    """Processor time of a process and of all that it has started, also of those that have ended."""
    all_processes = processes()
    total, tree = 0.0, {root}
    grown = True
    while grown:
        more = {pid for pid, (parent, _) in all_processes.items() if parent in tree} - tree
        grown = bool(more)
        tree |= more
    for pid in tree:
        total += all_processes[pid][1]
    return total


class Server:
    def __init__(self, novem, capture, frame):
        command = [novem, "inspect", capture, "--no-browser", "--frame", str(frame)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.address = re.search(r"http://\S+/", self.process.stdout.readline()).group(0)
        self.frame = frame

    def get(self, key):
        try:
            with urllib.request.urlopen(f"{self.address}data/{key}?frame={self.frame}") as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError:
            return None

    def settle(self):
        while not self.get("film")["complete"]:
            time.sleep(0.1)

    def time(self, keys):
        """The least processor time of the answers, and the least time on the clock; None: no answers."""
        least, clock = None, None
        for key in keys:
            before, start = used(self.process.pid), time.monotonic()
            self.get(key)
            took = time.monotonic() - start
            time.sleep(0.05)  # until the process that answered has been reaped
            spent = used(self.process.pid) - before
            least = spent if least is None else min(least, spent)
            clock = took if clock is None else min(clock, took)
        return least, clock

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


def target_of(event):
    return next((t["resource"] for t in event["targets"] if t["slot"] == "target 0"), None)


def opened(novem, capture, frame):
    """Processor time of writing the frame to a folder."""
    folder = tempfile.mkdtemp()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([novem, "frame", capture, "--frame", str(frame), "-o", folder], check=True,
                   stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(folder)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(novem, capture, frame):
    server = Server(novem, capture, frame)
    server.get("resources")
    server.settle()
    page = server.time(["frame"])
    listed = server.get("frame")
    draws = [e for e in listed["events"] if e["kind"] == "draw" and target_of(e) is not None]
    figures = [("frame", page)]
    if draws:
        last = draws[-3:]
        w, h = listed["width"], listed["height"]
        end = draws[-1]
        figures.append(("event", server.time([f"event/{e['call']}" for e in last])))
        figures.append(("mesh", server.time([f"mesh/{e['call']}" for e in last])))
        figures.append(("picture", server.time([f"resource/{target_of(e)}/{e['call']}/0/0/0" for e in last])))
        pixels = [(w // 2, h // 2), (w // 2 + 1, h // 2), (w // 2, h // 2 + 1)]
        figures.append(("pixel", server.time([f"pixel/{end['call']}/{target_of(end)}/{x}/{y}" for x, y in pixels])))
    server.stop()
    return len(draws), figures, opened(novem, capture, frame)


def main():
    novem, captures = sys.argv[1], sys.argv[2:]
    print("| capture | frame | draws | list | event | mesh | picture | pixel | to a folder |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for argument in captures:
        capture, _, frame = argument.partition(":")
        frame = int(frame or 0)
        name = os.path.basename(capture).rsplit(".", 1)[0]
        draws, figures, folder = measure(novem, capture, frame)
        cells = [f"{spent:.2f}" + (f" ({clock:.2f})" if os.environ.get("CLOCK") else "")
                 for _, (spent, clock) in figures] + ["-"] * (5 - len(figures))
        print(f"| {name} | {frame} | {draws} | {' | '.join(cells)} | {folder:.2f} |", flush=True)


if __name__ == "__main__":
    main()
