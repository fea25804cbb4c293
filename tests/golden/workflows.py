#!/usr/bin/env python3
"""Parses the workflow files of docs/golden-ci.md and checks that `novem golden run` knows their options.

    workflows.py NOVEM DOCUMENT
"""
import re
import subprocess
import sys

import yaml

novem, document = sys.argv[1:3]
with open(document, encoding="utf-8") as file:
    files = [yaml.safe_load(text) for text in re.findall(r"^```yaml\n(.*?)^```", file.read(), re.M | re.S)]
github, gitlab = files
steps = github["jobs"]["golden"]["steps"]
commands = [step["run"] for step in steps if "run" in step] + gitlab["golden"]["script"]
assert len(commands) == 2, commands
assert all("run" in step or "uses" in step for step in steps)
assert gitlab["golden"]["artifacts"]["reports"]["junit"] == "golden-out/junit.xml"
known = subprocess.run([novem, "golden", "run", "--help"], capture_output=True, text=True, check=True).stdout
for command in commands:
    assert command.startswith("novem golden run "), command
    assert "\n" not in command.strip(), "a folded line is broken: " + command
    for option in re.findall(r"(?<= )--?[a-z][a-z-]*(?= |$)", re.sub(r"'[^']*'", "", command)):
        assert f"  {option} " in known, option
print(f"{len(files)} workflow files are valid")
