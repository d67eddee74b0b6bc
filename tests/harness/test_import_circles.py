"""No module of the product imports itself through others.

Every import counts: at module level, under ``TYPE_CHECKING``, and inside a function. An import inside a
function may delay the loading of a heavy library, but it may not hide that two modules need each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_PACKAGES = ("collector", "rule_editor", "studio")


_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<package>[\w.]+)[ \t]+import[ \t]+(?:\((?P<many>[^)]*)\)|(?P<names>[^\n(]+))"
    r"|import[ \t]+(?P<modules>[\w., \t]+))",
    re.MULTILINE,
)
"""An import as ruff writes it. To parse all modules for them takes ten times as long."""


def imports_of(source: str, modules: Mapping[str, object]) -> Iterator[str]:
    """Yield the modules of the product that a source text imports, wherever the import stands."""
    for found in _IMPORT.finditer(source):
        package = found["package"]
        for name in _names(found["many"] or found["names"] or found["modules"]):
            if package is None:
                yield from (each for each in (name,) if each in modules)
            elif f"{package}.{name}" in modules:
                yield f"{package}.{name}"
            elif package in modules:
                yield package


def _names(imported: str) -> Iterator[str]:
    """The names of an import, without comments and without what they are called here."""
    code = re.sub(r"#.*", "", imported)
    yield from (words[0] for part in code.split(",") if (words := part.split()))


def first_cycle(graph: Mapping[str, set[str]]) -> list[str]:
    """Return the modules of one cycle, the first one at both ends; empty when there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    """The modules of the product, each with the modules it imports."""
    modules: dict[str, Path] = {}
    for package in _PACKAGES:
        for path in (_ROOT / package).rglob("*.py"):
            name = ".".join(path.relative_to(_ROOT).with_suffix("").parts)
            modules[name.removesuffix(".__init__")] = path
    return {name: set(imports_of(path.read_text("utf-8"), modules)) for name, path in modules.items()}


def test_no_module_imports_itself_through_others(graph) -> None:
    cycle = first_cycle(graph)
    assert not cycle, "modules import each other: " + " -> ".join(cycle)


def test_imports_count_under_type_checking_and_inside_functions() -> None:
    source = (
        "import one\n"
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from pack import two\n"
        "def load():\n    from pack.three import Thing as Other  # now\n"
        "from pack import (\n    four as other,\n    name,  # noqa\n)\n"
    )
    modules = dict.fromkeys(("one", "pack", "pack.two", "pack.three", "pack.four"))
    assert sorted(imports_of(source, modules)) == ["one", "pack", "pack.four", "pack.three", "pack.two"]


def test_a_cycle_is_named_in_the_order_of_its_imports() -> None:
    cycle = first_cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})
    assert len(cycle) == 4
    assert cycle[0] == cycle[-1]
    graph = {"a": "b", "b": "c", "c": "a"}
    assert all(graph[name] == following for name, following in pairwise(cycle))
