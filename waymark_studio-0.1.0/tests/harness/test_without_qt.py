"""Every core module imports with PySide6 blocked, each in the order of its name, in one fresh process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE = ("collector", "rule_editor/document", "studio/commands", "studio/settings")
IMPORT_ALL = """
import importlib, sys
from tests.helpers.without_qt import block_qt

block_qt()
for name in sys.stdin.read().split():
    importlib.import_module(name)
"""


def core_modules() -> list[str]:
    paths = sorted(path for folder in CORE for path in (ROOT / folder).rglob("*.py"))
    names = (".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths)
    return [name.removesuffix(".__init__") for name in names if not name.endswith("__main__")]


def test_every_core_module_imports_with_qt_blocked() -> None:
    modules = core_modules()
    assert len(modules) > 300
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORT_ALL],
        input="\n".join(modules), cwd=ROOT, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
