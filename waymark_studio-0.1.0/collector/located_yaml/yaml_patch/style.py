"""The layout of a YAML file: indent, quotes, flow or block lists, order of keys.

Each entry is counted once, when it is first parsed; new YAML gets the most common layout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar

from collector.located_yaml.yaml_node import YamlNode

Value = TypeVar("Value")
_QUOTES = ("'", '"')


class Layout(Enum):
    """How new YAML is laid out where the file shows no other way."""

    RULES = "rules"
    """Sentences in quotes, lists of texts in one line."""
    LINES = "lines"
    """Quotes only where YAML needs them, a line for each item of a list."""
    ONE_LINE = "one-line"
    """Quotes only where YAML needs them, every value on the line of its key or dash."""


@dataclass(slots=True)
class StyleCounts:
    """Layout counts of one entry."""

    steps: Counter[int] = field(default_factory=Counter)
    dashes: Counter[int] = field(default_factory=Counter)
    quotes: Counter[tuple[str, str]] = field(default_factory=Counter)
    flows: Counter[tuple[str, bool]] = field(default_factory=Counter)
    commas: Counter[str] = field(default_factory=Counter)
    orders: dict[str, tuple[str, ...]] = field(default_factory=dict)
    keys: Counter[str] = field(default_factory=Counter)

    def count(self, node: YamlNode, text: str, key: str = "") -> None:
        """Add ``node``, the value of ``key``."""
        if node.kind == "scalar":
            if isinstance(node.plain, str):
                first = text[node.place.start : node.place.start + 1]
                self.quotes[key, first if first in _QUOTES else ""] += 1
        elif node.kind == "sequence":
            self._count_list(node, text, key)
        else:
            self._count_mapping(node, text)

    def _count_list(self, node: YamlNode, text: str, key: str) -> None:
        flow = text[node.place.start : node.place.start + 1] == "["
        if node.items and all(item.kind == "scalar" for item in node.items):
            self.flows[key, flow] += 1
        if flow and len(node.items) > 1:
            between = text[node.items[0].place.end : node.items[1].place.start]
            self.commas[", " if between.strip() != between else ","] += 1
        for item in node.items:
            if item.kind == "mapping" and item.get("type") is not None:
                self.flows["-", text[item.place.start : item.place.start + 1] == "{"] += 1
            self.count(item, text, key)

    def _count_mapping(self, node: YamlNode, text: str) -> None:
        written = node.get("type")
        names = tuple(key.text for key, _value in node.pairs)
        self.keys.update(names)
        if written is not None and written.kind == "scalar":
            self.orders[written.text] = names
        for key, value in node.pairs:
            opening = text[value.place.start : value.place.start + 1]
            if value.place.line > key.place.line and opening not in ("[", "{"):
                if value.kind == "mapping":
                    self.steps[value.place.column - key.place.column] += 1
                elif value.kind == "sequence":
                    self.dashes[value.place.column - key.place.column] += 1
            self.count(value, text, key.text)


@dataclass(slots=True)
class YamlStyle:
    """The layout for new YAML of a file."""

    newline: str = "\n"
    step: int = 2
    """Columns from a key to the mapping under it."""
    dash: int = 2
    """Columns from a key to the dashes of the list under it."""
    comma: str = ", "
    counts: StyleCounts = field(default_factory=StyleCounts)
    layout: Layout = Layout.RULES

    def quote(self, key: str) -> str:
        """The quote character for texts under ``key``; empty for none."""
        counts = {sign: self.counts.quotes[key, sign] for sign in ("", *_QUOTES)}
        if any(counts.values()):
            return max(counts, key=lambda sign: counts[sign])
        is_bare = self.layout is not Layout.RULES or key in ("type", "id", "interference_id", "")
        return "" if is_bare else self.common_quote

    @property
    def common_quote(self) -> str:
        """The most common quote character of the file."""
        totals = {
            sign: sum(n for (_key, quote), n in self.counts.quotes.items() if quote == sign)
            for sign in _QUOTES
        }
        return max(('"', "'"), key=lambda sign: totals[sign])

    def in_one_line(self, key: str) -> bool:
        """Whether a list of texts under ``key`` is in flow style; ``-`` stands for conditions."""
        yes, no = self.counts.flows[key, True], self.counts.flows[key, False]
        if key != "-" and not yes and not no:
            yes = sum(n for (name, flow), n in self.counts.flows.items() if flow and name != "-")
            no = sum(n for (name, flow), n in self.counts.flows.items() if not flow and name != "-")
            return yes >= no if self.layout is Layout.RULES else yes > no
        return yes > no


def style_of(text: str, root: YamlNode, layout: Layout) -> YamlStyle:
    """The most common layout of a whole text."""
    counts = StyleCounts()
    counts.count(root, text)
    return common_style([counts], "\r\n" if "\r\n" in text else "\n", layout)


def common_style(entries: Iterable[StyleCounts], newline: str, layout: Layout = Layout.RULES) -> YamlStyle:
    """The most common layout of the entries."""
    total = StyleCounts()
    for counts in entries:
        total.steps.update(counts.steps)
        total.dashes.update(counts.dashes)
        total.quotes.update(counts.quotes)
        total.flows.update(counts.flows)
        total.commas.update(counts.commas)
        total.keys.update(counts.keys)
        total.orders.update(counts.orders)
    return YamlStyle(
        newline, _most(total.steps, 2), _most(total.dashes, 2), _most(total.commas, ", "), total, layout
    )


def _most(counts: Counter[Value], otherwise: Value) -> Value:
    return counts.most_common(1)[0][0] if counts else otherwise
