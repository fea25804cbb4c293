#!/usr/bin/env python3
"""Judges the pictures that a bundle of scripts/gpu-bundle.sh brought back, and writes bench/results/gpu-NAME.md.

usage: scripts/gpu_report.py --novem NOVEM [--name NAME] [-o FILE.md] RESULTS

`novem golden run` compares the pictures; this script adds what the other machine noted: crashes and time-outs.
The exit code is 0 if every case passes, 1 if one does not, 2 after an error.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys

# One step of a format of 5 bits.
STEP = 8


def error(text):
    print(f"gpu_report.py: {text}", file=sys.stderr)
    sys.exit(2)


def read_table(path, columns):
    rows = []
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                row = line.rstrip("\n").split("\t")
                if len(row) != columns:
                    error(f"{path}:{number}: {len(row)} columns instead of {columns}")
                rows.append(row)
    except OSError as why:
        error(f"{path}: {why.strerror}")
    return rows


MASK = 'mask = "auto"\n'


def make_manifest(captures):
    """Cases of captures that the golden suite does not have: Novem renders their references."""
    text = f'[defaults]\ntolerance = "max 1"\n{MASK}'
    for name, home, frames in captures:
        text += f"\n[[case]]\nname = {json.dumps(name)}\ncapture = {json.dumps(home)}\nframes = \"{frames}\"\n"
    return text


def run_golden(novem, manifest, results, out):
    """Returns a dict of results by case."""
    command = [novem, "golden", "run", manifest, "--candidate", os.path.join(results, "pictures"), "--quiet", "-o", out]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode not in (0, 1):
        error(f"{' '.join(command)} failed:\n{done.stdout}")
    with open(os.path.join(out, "results.jsonl"), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    return {line["case"]: line for line in lines if "case" in line}


def judge_manifest(novem, text, suite, results, out):
    """Runs a manifest whose paths are relative to suite, with its mask and without. Returns the results by case; those
    that pass thanks to the mask have the key "thanks"."""
    if MASK not in text:
        error(f"the manifest has no line {MASK.strip()}")
    os.makedirs(out, exist_ok=True)
    for folder in ("scenes", "goldens", "captures"):
        link = os.path.join(out, folder)
        if os.path.islink(link):
            os.remove(link)
        os.symlink(os.path.realpath(os.path.join(suite, folder)), link)
    judged = {}
    for kind, manifest in (("report", text), ("unmasked", text.replace(MASK, ""))):
        path = os.path.join(out, f"{kind}.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(manifest)
        judged[kind] = run_golden(novem, path, results, os.path.join(out, kind))
    for case, result in judged["report"].items():
        result["thanks"] = judged["unmasked"][case]["verdict"] != "pass"
    return judged["report"]


def owner_of(case, notes):
    """The entry of results.tsv that a case's picture comes from: a capture has a case for each frame."""
    return notes.get(case) or notes.get(re.sub(r"/frame-\d+$", "", case))


def class_of(result, note):
    """Why a case fails, in words that many cases share."""
    if note != "ok":
        return note if not note.startswith("code") else f"program ended with {note}"
    if result["verdict"] != "fail":
        return result["verdict"]
    if "max" not in result:
        return "another size, or a damaged picture"
    share = result["above"] / (result["width"] * result["height"])
    if result["max"] <= STEP:
        return f"precision: at most {STEP} codes"
    return "edges: at most 1 % of the pixels" if share <= 0.01 else "more than 1 % of the pixels"


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    for row in rows:
        yield "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |"
    yield ""


def summary_of(results, notes):
    """Counts of pictures: (rows of the table, failures as (class, case, message))."""
    count = collections.Counter()
    failures = []
    for case, result in sorted(results.items()):
        row = owner_of(case, notes)
        note = row[2] if row else "not run"
        if note == "not run":
            count["not run"] += 1
            continue
        count["cases"] += 1
        if result["verdict"] == "pass" and note == "ok":
            count["pass"] += 1
            if result["thanks"]:
                count["mask"] += 1
            elif result.get("max", 0) == 0:
                count["same"] += 1
        else:
            message = "no picture" if result["verdict"] == "missing" else result.get("message", "")
            message = message.split("; tolerance:")[0]  # all have the same
            failures.append((class_of(result, note), case, message))
    rows = [
        ("cases that ran", count["cases"]),
        ("pass", count["pass"]),
        ("… with the same pixels", count["same"]),
        ("… with a difference of one code", count["pass"] - count["same"] - count["mask"]),
        ("… thanks to the mask", count["mask"]),
        ("fail", len(failures)),
        ("not run", count["not run"]),
    ]
    return rows, failures


def conformance_of(rows):
    """Rows of the table of conformance scenes, and failures as (class, case, message)."""
    by_topic = collections.defaultdict(collections.Counter)
    failures = []
    for _, case, note, _ in rows:
        topic = case.split("/")[1]
        by_topic[topic][note if note in ("ok", "differs", "not run") else "failed"] += 1
        if note not in ("ok", "differs", "not run"):
            failures.append((class_of({}, note), case, ""))
    lines = [(t, c["ok"], c["differs"], c["failed"], c["not run"]) for t, c in sorted(by_topic.items())]
    if lines:
        lines.append(("all", *(sum(line[i] for line in lines) for i in range(1, 5))))
    return lines, failures


def write_report(out, title, machine, rows, conformance, failures):
    lines = [f"# The golden suite on {title}", "", "Written by `scripts/gpu-bundle.sh --judge`; do not edit.", ""]
    lines += table(("", ""), machine)
    lines += ["## Pictures", "", "The golden suite and captures, each with `max 1` and the mask.", ""]
    lines += table(("", "cases"), rows)
    if conformance:
        lines += ["## Conformance scenes", ""]
        lines += table(("topic", "agree", "differ", "crash, time out or end early", "not run"), conformance)
    lines += ["## Failures", ""]
    if not failures:
        lines += ["None.", ""]
    else:
        classes = collections.Counter(f[0] for f in failures)
        lines += table(("class", "cases"), classes.most_common())
        lines += table(("case", "class", "result"), [(c, k, m) for k, c, m in sorted(failures)])
    os.makedirs(os.path.dirname(out) or ".", exist_ok=True)
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(lines).rstrip("\n") + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--novem", required=True)
    parser.add_argument("--name")
    parser.add_argument("-o", dest="out")
    parser.add_argument("results")
    args = parser.parse_args()

    machine = read_table(os.path.join(args.results, "machine.tsv"), 2)
    gpu = next((v for k in ("gpu", "adapter") for key, v in machine if key == k), "unknown")
    name = args.name or re.sub(r"[^a-z0-9]+", "-", gpu.split(" (", maxsplit=1)[0].lower()).strip("-") or "unknown"
    out = args.out or f"bench/results/gpu-{name}.md"
    rows = read_table(os.path.join(args.results, "results.tsv"), 4)
    # A resumed run may list a case again; the last result counts.
    rows = list({row[1]: row for row in rows}.values())
    notes = {row[1]: row for row in rows if row[0] != "conformance"}
    if not rows:
        error(f"{args.results} has no results")

    work = os.path.join(os.path.dirname(args.novem) or ".", f"gpu-{name}")
    suite = "tests/golden"
    with open(f"{suite}/suite.toml", encoding="utf-8") as file:
        results = judge_manifest(args.novem, file.read(), suite, args.results, os.path.join(work, "golden"))
    extra = [(row[1], row[4], row[3]) for row in read_table(os.path.join(args.results, "cases.tsv"), 5)
             if row[0] == "capture" and not any(case.startswith(row[1] + "/") for case in results)]
    known = [capture for capture in extra if os.path.isfile(capture[1])]
    for capture in extra:
        if capture not in known:
            print(f"gpu_report.py: {capture[0]} is not judged: {capture[1]} does not exist", file=sys.stderr)
    if known:
        results |= judge_manifest(args.novem, make_manifest(known), suite, args.results,
                                  os.path.join(work, "captures"))

    version = subprocess.run([args.novem, "--version"], capture_output=True, text=True, check=False).stdout
    commit = re.search(r"commit (\w{1,10})", version)
    machine.append(["judged by", version.split("\n", 1)[0] + (f" ({commit[1]})" if commit else "")])
    pictures, failures = summary_of(results, notes)
    conformance, ended = conformance_of([row for row in rows if row[0] == "conformance"])
    write_report(out, gpu, machine, pictures, conformance, failures + ended)
    print(f"{out}: " + ", ".join(f"{n} {what}" for what, n in (
        ("cases", pictures[0][1]), ("pass", pictures[1][1]), ("thanks to the mask", pictures[4][1]),
        ("fail", len(failures)))) + f"; report: {work}/golden/report/report.html")
    return 1 if failures or ended else 0


if __name__ == "__main__":
    sys.exit(main())
