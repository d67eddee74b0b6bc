"""No product code is dead; code that only tests use is. ``[tool.vulture]`` names what others call."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

from vulture import Vulture

ROOT = Path(__file__).parents[2]
SCRIPTS = ("packaging", "docs")
"""They use the product, but what nobody calls in them is no product code."""


def dead_code(*paths: Path) -> list[str]:
    """What is defined in ``paths`` and used nowhere in them, each as ``file:line: kind name``."""
    options = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["vulture"]
    vulture = Vulture(ignore_decorators=options["ignore_decorators"])
    vulture.scavenge([str(path) for path in paths or [ROOT / name for name in options["paths"]]])
    return [
        f"{item.filename}:{item.first_lineno}: unused {item.typ} {item.name}"
        for item in vulture.get_unused_code(min_confidence=60)
        # Here and not by vulture, which compares every name that it reads with every pattern.
        if not any(fnmatchcase(item.name, name) for name in options["ignore_names"])
        and (
            not item.filename.is_relative_to(ROOT) or item.filename.relative_to(ROOT).parts[0] not in SCRIPTS
        )
    ]


def test_no_product_code_is_dead() -> None:
    assert dead_code() == []


def test_what_nobody_calls_is_found(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("def called():\n    pass\n\n\ndef forgotten():\n    called()\n")
    assert [line.rpartition(": ")[2] for line in dead_code(tmp_path)] == ["unused function forgotten"]
