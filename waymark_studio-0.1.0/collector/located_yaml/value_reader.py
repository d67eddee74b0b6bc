"""Read values of YAML nodes as a grammar defines them, and report the others as diagnostics."""

from __future__ import annotations

from collections.abc import Collection

from collector.located_yaml.codes import diagnostic
from collector.located_yaml.diagnostics import Diagnostic, Place, QuickFix
from collector.located_yaml.nearest_word import did_you_mean
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _

_LARGEST = 2**53
"""The largest number that is exact as a float too."""


class ValueReader:
    """Reads the values of one file and collects ``diagnostics``.

    ``rule_id`` is the id of the entry being read (a rule, an anomaly); diagnostics carry it.
    A value that is missing or wrong is read as an empty one; a wrong one is reported.
    """

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.diagnostics = diagnostics
        self.rule_id = ""

    def report(
        self,
        name: str,
        place: Place,
        what: str,
        why: str = "",
        to_do: str = "",
        *,
        fixes: tuple[QuickFix, ...] = (),
    ) -> None:
        """Add a diagnostic of the kind ``name`` (a key of :data:`collector.located_yaml.codes.CODES`)."""
        self.diagnostics.append(diagnostic(name, place, what, why, to_do, rule_id=self.rule_id, fixes=fixes))

    def wrong_shape(self, node: YamlNode, what: str, to_do: str = "") -> None:
        """Report a value of the wrong type."""
        self.report("wrong-shape", node.place, what, to_do=to_do)

    def found(self, node: YamlNode, key: str) -> YamlNode | None:
        """The value under ``key`` of a mapping; None when it is missing."""
        return node.get(key)

    def check_keys(self, node: YamlNode, known: Collection[str]) -> None:
        """Report the keys of a mapping that are not ``known``."""
        known = tuple(known)
        for key, _value in node.pairs:
            if key.text not in known:
                self.report_unknown_key(key, known)

    def report_unknown_key(self, key: YamlNode, known: Collection[str] = ()) -> None:
        what = _("Nothing reads the key {key}", key=key.text)
        self.report("unknown-key", key.place, what, fixes=did_you_mean(key.text, known, key.place))

    def text(self, node: YamlNode, key: str) -> str:
        """The text under ``key`` of a mapping."""
        value = self.found(node, key)
        if value is None or value.is_null:
            return ""
        if value.kind != "scalar":
            self.wrong_shape(value, _("{key} has to be a text", key=key))
            return ""
        return value.text

    def word(self, node: YamlNode, key: str, known: tuple[str, ...]) -> str:
        """The word under ``key`` of a mapping, one of ``known``."""
        text, value = self.text(node, key), node.get(key)
        if value is None or not text or text in known:
            return text
        what = _("There is no {key} called {word}", key=key, word=text)
        self.check_word(text, known, value, what)
        return ""

    def check_word(self, text: str, known: Collection[str], node: YamlNode, what: str) -> None:
        """Report ``what`` when ``text`` of ``node`` is not one of ``known``."""
        if text not in known:
            self.report("unknown-type", node.place, what, fixes=did_you_mean(text, known, node.place))

    def number(self, node: YamlNode, key: str) -> float | None:
        """The number under ``key`` of a mapping."""
        value = self.found(node, key)
        if value is None:
            return None
        if not is_number(value):
            self.wrong_shape(value, _("{key} has to be a number", key=key))
            return None
        return float(value.plain)

    def flag(self, node: YamlNode, key: str) -> bool:
        """The true or false under ``key`` of a mapping."""
        value = self.found(node, key)
        if value is None:
            return False
        if not is_flag(value):
            self.wrong_shape(value, _("{key} has to be true or false", key=key))
            return False
        return bool(value.plain)

    def pairs(self, node: YamlNode | None, expected: str = "") -> list[tuple[YamlNode, YamlNode]]:
        """The pairs of a mapping; ``expected`` is the sentence for a node that is none."""
        if node is None or node.is_null:
            return []
        if node.kind != "mapping":
            self.wrong_shape(node, expected or _("A mapping was expected here"))
        return node.pairs

    def items(self, node: YamlNode | None, expected: str = "") -> list[YamlNode]:
        """The items of a list; ``expected`` is the sentence for a node that is none."""
        if node is None or node.is_null:
            return []
        if node.kind != "sequence":
            self.wrong_shape(node, expected or _("A list was expected here"))
        return node.items


def is_flag(node: YamlNode) -> bool:
    """Whether a node is true or false."""
    return node.kind == "scalar" and isinstance(node.plain, bool)


def is_number(node: YamlNode) -> bool:
    """Whether a node is a finite number of a size programs count with; true and false are none."""
    is_numeric = node.kind == "scalar" and isinstance(node.plain, (int, float)) and not is_flag(node)
    return is_numeric and -_LARGEST <= node.plain <= _LARGEST  # which ``nan`` is not
