"""SECURITY.md names the proof of each threat, and every proof exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.helpers.scripts import ROOT, script

_PROOF = re.compile(r"`(tests/[\w/.]+\.py)(?:::(\w+))?`")
_recipes = script("packaging", "recipes")


def rows() -> list[str]:
    """The rows of the tables of threats."""
    text = (ROOT / "SECURITY.md").read_text("utf-8")
    below = text[text.index("## Threats") : text.index("## What is not covered")]
    lines = [line for line in below.splitlines() if line.startswith("| ")]
    return [line for line in lines if not line.startswith("| Threat |")]


def test_every_threat_has_a_proof() -> None:
    assert len(rows()) > 15
    assert [row for row in rows() if not _PROOF.search(row)] == []


def test_every_proof_exists() -> None:
    for path, name in _PROOF.findall("\n".join(rows())):
        assert (ROOT / path).is_file(), path
        if name:
            tree = ast.parse((ROOT / path).read_text("utf-8"))
            assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, (
                path,
                name,
            )


def test_make_attack_runs_every_proof() -> None:
    named = {path for path, _name in _PROOF.findall("\n".join(rows()))}
    assert set(_recipes.attacks()) == {*named, "tests/attack"}


def test_every_attack_is_named() -> None:
    attacks = {path.relative_to(ROOT).as_posix() for path in Path(ROOT, "tests", "attack").glob("test_*.py")}
    assert attacks <= {path for path, _name in _PROOF.findall("\n".join(rows()))}
