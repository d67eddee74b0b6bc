"""Heavy libraries are not imported by ``--version``, by ``--help``, nor by the first paint of the window."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.helpers.scripts import ROOT

HEAVY = (
    "PIL", "adbutils", "asyncio", "av", "cv2", "http.client", "lxml", "multiprocessing", "numpy",
    "requests", "ruamel.yaml", "scrcpy", "skia", "sqlite3", "sqlite_utils", "ssl", "uiautomator2",
    "xml.etree.ElementTree",
)  # fmt: skip
"""Libraries that cost a start 5 ms to 200 ms each."""
COMMAND = """
import json, sys
from collector.cli.main import main
assert main(sys.argv[1:]) == 0
print("\\n" + json.dumps(sorted(sys.modules)))
"""


def imported(script: str, *words: str, **environment: str) -> set[str]:
    """Names of the modules that a script has imported, as it prints them in its last line."""
    done = subprocess.run(
        [sys.executable, "-c", script, *words],
        cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_the_command_imports_no_verb_and_nothing_heavy(option: str) -> None:
    modules = imported(COMMAND, option)
    assert modules.isdisjoint((*HEAVY, "PySide6", "yaml"))
    rooms = {".".join(name.split(".")[:2]) for name in modules if name.startswith("collector.")}
    assert rooms <= {"collector.cli", "collector.model", "collector.store"}
    verbs = {path.stem for path in (ROOT / "collector" / "cli").glob("*.py")} - {
        "main",
        "output",
        "verb_groups",
    }
    assert modules.isdisjoint(f"collector.cli.{name}" for name in verbs - {"__init__"})
