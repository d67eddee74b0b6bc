"""The code of this project on other systems, as far as reading and importing it tells."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.foreign_imports import OWN
from tests.helpers.offenders import offenders

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(path for package in OWN for path in (ROOT / package).rglob("*.py"))


@pytest.mark.parametrize(
    ("system", "packages"), [("win32", OWN), ("darwin", ("collector.host", "collector.store"))]
)
def test_every_module_can_be_imported_without_what_only_linux_has(system, packages):
    ran = subprocess.run(
        [sys.executable, "-m", "tests.helpers.foreign_imports", system, *packages],
        cwd=ROOT, env=os.environ | {"QT_QPA_PLATFORM": "offscreen"}, capture_output=True, text=True,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout) == (0, ""), ran.stdout + ran.stderr


def test_no_text_is_written_with_the_line_ends_of_the_system():
    """A shell script, a data set or a file with a digest would differ on Windows."""
    assert offenders(_says_its_line_ends, FILES, lambda path: str(path.relative_to(ROOT))) == []


def _says_its_line_ends(path: Path) -> None:
    source = path.read_bytes()
    if b"write_text(" not in source:
        return
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "write_text":
            assert any(word.arg == "newline" for word in call.keywords), f"line {call.lineno}"
