"""``docs/reliability.md`` names the tests that cause faults, and each fault has a test."""

from __future__ import annotations

import ast
import re

from tests.helpers.fault_matrix import FAULTS
from tests.helpers.scripts import ROOT

PAGE = ROOT / "docs" / "reliability.md"


def marked() -> dict[str, set[tuple[str, str]]]:
    """Number of a fault: file and words of the tests that carry it."""
    found: dict[str, set[tuple[str, str]]] = {number: set() for number in FAULTS}
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        if "mark.fault" not in text:
            continue
        tree = ast.parse(text)
        of_all = [
            number
            for node in tree.body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
            for number in _numbers(node.value)
        ]
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for number in {*of_all, *(n for mark in node.decorator_list for n in _numbers(mark))}:
                    words = node.name.removeprefix("test_").replace("_", " ")
                    found[number].add((path.relative_to(ROOT).as_posix(), words))
    return found


def _numbers(node: ast.expr) -> list[str]:
    calls = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
    return [
        argument.value
        for call in calls
        if ast.unparse(call.func) == "pytest.mark.fault"
        for argument in call.args
        if isinstance(argument, ast.Constant)
    ]


def test_each_fault_has_a_test_and_the_page_names_all_of_them():
    tests = marked()
    assert [number for number, of in tests.items() if not of] == []
    rows = dict(re.findall(r"^\| (F\d+) \|(.*)$", PAGE.read_text("utf-8"), re.MULTILINE))
    named = {
        number: {(path, words) for words, path in re.findall(r"\[([^\]]+)\]\(\.\./([^)]+)\)", row)}
        for number, row in rows.items()
    }
    assert named == tests, "run `make reliability`"


def test_the_page_says_that_every_fault_was_met_and_no_test_failed():
    rows = re.findall(r"^\| (F\d+) \|.*\| ([^|]+) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert [number for number, counts in rows if "passed" not in counts or "failed" in counts] == []
    assert len(rows) == len(FAULTS)
