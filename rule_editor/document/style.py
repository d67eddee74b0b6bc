"""How a file is written: its indent, quotes, lists in one line or several, order of keys.

Each entry votes once, when it is first read; what most of them do is what new YAML looks like.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from collector.located_yaml.yaml_node import YamlNode

Value = TypeVar("Value")
_QUOTES = ("'", '"')


@dataclass(slots=True)
class Votes:
    """What one entry does, counted."""

    steps: Counter[int] = field(default_factory=Counter)
    dashes: Counter[int] = field(default_factory=Counter)
    quotes: Counter[tuple[str, str]] = field(default_factory=Counter)
    flows: Counter[tuple[str, bool]] = field(default_factory=Counter)
    commas: Counter[str] = field(default_factory=Counter)
    orders: dict[str, tuple[str, ...]] = field(default_factory=dict)
    keys: Counter[str] = field(default_factory=Counter)

    def count(self, node: YamlNode, text: str, key: str = "") -> None:
        """Take in ``node``, found under ``key``."""
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
class Style:
    """How new YAML of a file is to look."""

    newline: str = "\n"
    step: int = 2
    """Columns a mapping stands in from its key."""
    dash: int = 2
    """Columns a list's dashes stand in from their key."""
    comma: str = ", "
    votes: Votes = field(default_factory=Votes)

    def quote(self, key: str) -> str:
        """The quotes texts under ``key`` stand in: empty for none."""
        named = {sign: self.votes.quotes[key, sign] for sign in ("", *_QUOTES)}
        if any(named.values()):
            return max(named, key=lambda sign: named[sign])
        return "" if key in ("type", "id", "interference_id", "") else self.mark

    @property
    def mark(self) -> str:
        """The quotes most texts of the file stand in, when they stand in any."""
        counts = {
            sign: sum(n for (_key, quote), n in self.votes.quotes.items() if quote == sign)
            for sign in _QUOTES
        }
        return max(('"', "'"), key=lambda sign: counts[sign])

    def in_one_line(self, key: str) -> bool:
        """Whether a list of texts under ``key`` is written in brackets; ``-`` asks for conditions."""
        yes, no = self.votes.flows[key, True], self.votes.flows[key, False]
        if key != "-" and not yes and not no:
            yes = sum(n for (name, flow), n in self.votes.flows.items() if flow and name != "-")
            no = sum(n for (name, flow), n in self.votes.flows.items() if not flow and name != "-")
            return yes >= no
        return yes > no


def style_of(votes: Iterable[Votes], newline: str) -> Style:
    """What most of the entries do."""
    total = Votes()
    for vote in votes:
        total.steps.update(vote.steps)
        total.dashes.update(vote.dashes)
        total.quotes.update(vote.quotes)
        total.flows.update(vote.flows)
        total.commas.update(vote.commas)
        total.keys.update(vote.keys)
        total.orders.update(vote.orders)
    return Style(newline, _most(total.steps, 2), _most(total.dashes, 2), _most(total.commas, ", "), total)


def _most(counts: Counter[Value], otherwise: Value) -> Value:
    return counts.most_common(1)[0][0] if counts else otherwise
