"""One word for one thing: no two product classes share a name, and the words of the glossary exist."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("collector", "rule_editor", "studio")
# The virtual phone has a widget toolkit and apps of its own, as a real Android has.
OUTSIDE = ("collector.virtual",)
CLASS = re.compile(r"^class ([A-Za-z]\w*)", re.MULTILINE)
"""The beginning of a public class of a module. To parse all modules takes twenty times as long."""
ROW = re.compile(r"^\| (?P<word>[^|]+) \| (?P<meaning>[^|]+) \| (?:`(?P<path>[\w.]+)`)? ?\|$", re.MULTILINE)


@cache
def product_classes() -> dict[str, list[str]]:
    """Dotted module names of every public class of the product, by class name."""
    places: dict[str, list[str]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            if module.startswith(OUTSIDE):
                continue
            for name in CLASS.findall(path.read_text(encoding="utf-8")):
                places[name].append(module)
    return places


def glossary() -> list[re.Match[str]]:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = page.partition("\n## Words\n")[2].partition("\n## ")[0]
    rows = [row for row in ROW.finditer(section) if row["word"] != "Word"]
    assert len(rows) > 20
    return rows


def test_no_two_classes_of_the_product_share_a_name() -> None:
    shared = {name: modules for name, modules in product_classes().items() if len(modules) > 1}
    assert shared == {}


def test_each_class_of_the_glossary_exists_and_is_the_only_one_of_its_name() -> None:
    places = product_classes()
    for row in glossary():
        if row["path"]:
            module, _, name = row["path"].rpartition(".")
            assert module in places[name], f"{row['word']}: there is no {row['path']}"
            assert places[name] == [module], row["word"]


def test_each_word_of_the_glossary_stands_once() -> None:
    words = [row["word"] for row in glossary()]
    assert len(words) == len(set(words))
