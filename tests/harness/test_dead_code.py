"""No product code is dead; code that only tests use is. ``[tool.vulture]`` names what others call."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path

from vulture import Vulture

ROOT = Path(__file__).parents[2]
SCRIPTS = ("packaging", "docs")
"""They use the product, but what nobody calls in them is no product code."""


_WITHOUT_NODES = {
    "arg",
    "asname",
    "attr",
    "ctx",
    "id",
    "kind",
    "level",
    "module",
    "op",
    "ops",
    "type_comment",
}
"""Fields of nodes in which there is never a node, or one that says nothing."""
_SILENT = {
    ast.Constant, bool, bytes, complex, float, int, str, type(None), type(...),
}  # fmt: skip


class QuickVulture(Vulture):
    """Visits what Vulture visits, in a third of the time: two million nodes, most of which say nothing.

    Comments with types, which these sources do not have, are not looked for.
    """

    def __init__(self, ignore_decorators: list[str]) -> None:
        super().__init__(ignore_decorators=ignore_decorators)
        self._kinds: dict[type, tuple[tuple[str, ...], bool, Callable[[ast.AST], None] | None]] = {}

    def visit(self, node: ast.AST) -> None:
        """Visit what is in a node, and then the node."""
        kind = type(node)
        fields, may_end, visitor = self._kinds.get(kind) or self._learn(node)
        for name in fields:
            value = getattr(node, name, None)
            if type(value) is list:
                for item in value:
                    if type(item) not in _SILENT:
                        self.visit(item)
            elif type(value) not in _SILENT:
                self.visit(value)
        if may_end:
            self.reachability.visit(node)
        if visitor is not None:
            visitor(node)

    def _learn(self, node: ast.AST) -> tuple[tuple[str, ...], bool, Callable[[ast.AST], None] | None]:
        """The fields with nodes of a kind, whether code behind it may be unreachable, and what visits it."""
        kind = type(node)
        fields = tuple(name for name, _value in ast.iter_fields(node) if name not in _WITHOUT_NODES)
        may_end = issubclass(kind, ast.stmt | ast.IfExp | ast.Module)
        self._kinds[kind] = (fields, may_end, getattr(self, f"visit_{kind.__name__}", None))
        return self._kinds[kind]


def dead_code(*paths: Path) -> list[str]:
    """What is defined in ``paths`` and used nowhere in them, each as ``file:line: kind name``."""
    options = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["vulture"]
    vulture = QuickVulture(options["ignore_decorators"])
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


def test_what_is_visited_quickly_is_what_vulture_visits() -> None:
    found = []
    for vulture in (Vulture(), QuickVulture([])):
        vulture.scavenge([str(ROOT / "studio" / "widgets" / "controls"), str(ROOT / "packaging")])
        unused = vulture.get_unused_code()
        found.append(
            ([(str(item.filename), item.first_lineno, item.name) for item in unused], vulture.used_names)
        )
    assert found[0] == found[1]
    assert found[0][0]


def test_what_nobody_calls_is_found(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("def called():\n    pass\n\n\ndef forgotten():\n    called()\n")
    assert [line.rpartition(": ")[2] for line in dead_code(tmp_path)] == ["unused function forgotten"]
