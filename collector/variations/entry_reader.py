"""Check mappings of a variation file against the tables of keys: their keys, and the type of each value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from collector.located_yaml.nearest_word import did_you_mean, nearest
from collector.located_yaml.value_reader import ValueReader, is_flag, is_number
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.model.variation.plus_merge import PLUS
from collector.variations import keys as k
from collector.variations.content_types import LANGUAGE
from collector.variations.content_values import ENGLISH

_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")


class EntryReader:
    """Checks one mapping after the other; each thing wrong is reported to ``values``."""

    def __init__(self, values: ValueReader) -> None:
        self.values = values

    def check_entry(self, node: YamlNode, within: str) -> None:
        """Check a mapping whose keys and values the table of ``within`` has."""
        self.check_keys(node, within)
        for spec in k.KEYS[within]:
            value = node.get(spec.name)
            if value is not None:
                self.check_value(spec, value)
            elif spec.required:
                self.values.report(
                    "missing-field", node.place, _("{key} is missing", key=spec.name), _(spec.doc)
                )

    def is_mapping(self, node: YamlNode) -> bool:
        """Whether it is a mapping; anything else is reported."""
        if node.kind != "mapping":
            self.values.wrong_shape(node, _("A mapping was expected here"))
        return node.kind == "mapping"

    def check_keys(self, node: YamlNode, within: str, plus: Iterable[str] = ()) -> None:
        """Report the keys that the table of ``within`` has not; those of ``plus`` may begin with +."""
        known = [spec.name for spec in k.KEYS[within]]
        allowed = {*known, *(PLUS + name for name in plus)}
        for key, _value in node.pairs:
            if key.text in allowed:
                continue
            what = _("A variation has no key {key} here", key=key.text)
            self.report_word(what, key.text, known, key)

    def report_word(self, what: str, word: str, known: Iterable[str], node: YamlNode) -> None:
        """Report a word that is none of ``known``, with the nearest of them."""
        known = tuple(known)
        better = nearest(word, known)
        to_do = (_("Did you mean {word}?", word=better) if better
                 else _("Use one of: {known}", known=", ".join(known)))  # fmt: skip
        fixes = did_you_mean(word, known, node.place)
        self.values.report("unknown-variation-key", node.place, what, to_do=to_do, fixes=fixes)

    def check_value(self, spec: k.FileKey, node: YamlNode) -> None:
        """Check the type and the range of a value."""
        checks: dict[str, Callable[[k.FileKey, YamlNode], None]] = {
            k.TEXT: self._check_text, k.TEXTS: self._check_texts, k.WORD: self._check_word,
            k.NUMBER: self._check_number, k.FLAG: self._check_flag, k.COLOURS: self._check_colours,
            k.LIST: self._check_list,
        }  # fmt: skip
        check = checks.get(spec.kind)
        if check is not None:
            check(spec, node)

    def _check_text(self, spec: k.FileKey, node: YamlNode) -> None:
        if node.kind != "scalar" or not isinstance(node.plain, str):
            self.values.wrong_shape(node, _("{key} has to be a text", key=spec.name))

    def _check_texts(self, spec: k.FileKey, node: YamlNode) -> None:
        is_texts = node.kind == "mapping" and bool(node.pairs) and all(
            LANGUAGE.fullmatch(key.text) and isinstance(value.plain, str) for key, value in node.pairs
        )  # fmt: skip
        if not is_texts:
            self.values.wrong_shape(
                node, _("{key} has to be texts by language, as {{en: ...}}", key=spec.name)
            )
        elif node.get(ENGLISH) is None:
            what = _("{where} has no English text", where=spec.name)
            to_do = _("Write {key}: it counts where a language is missing", key=ENGLISH)
            self.values.report("missing-field", node.place, what, to_do=to_do)

    def _check_word(self, spec: k.FileKey, node: YamlNode) -> None:
        if node.text not in spec.choices:
            what = _("There is no {key} called {word}", key=spec.name, word=node.text or node.kind)
            self.report_word(what, node.text, spec.choices, node)

    def _check_number(self, spec: k.FileKey, node: YamlNode) -> None:
        if not is_number(node):
            self.values.wrong_shape(node, _("{key} has to be a number", key=spec.name))
        elif not spec.lowest <= node.plain <= spec.highest:
            what = _("{key} has to be from {low} to {high}", key=spec.name, low=f"{spec.lowest:g}",
                     high=f"{spec.highest:g}")  # fmt: skip
            self.values.report("out-of-range", node.place, what)

    def _check_flag(self, spec: k.FileKey, node: YamlNode) -> None:
        if not is_flag(node):
            self.values.wrong_shape(node, _("{key} has to be true or false", key=spec.name))

    def _check_list(self, spec: k.FileKey, node: YamlNode) -> None:
        if node.kind != "sequence" or not all(isinstance(item.plain, str) for item in node.items):
            self.values.wrong_shape(node, _("{key} has to be a list of texts", key=spec.name))

    def _check_colours(self, _spec: k.FileKey, node: YamlNode) -> None:
        for key, value in self.values.pairs(node, _("colours is a mapping of roles to #RRGGBB")):
            if key.text not in k.COLOUR_ROLES:
                what = _("No app has a colour {word}", word=key.text)
                self.report_word(what, key.text, k.COLOUR_ROLES, key)
            if not _COLOUR.fullmatch(value.text):
                what = _("{text} is no colour", text=value.text or value.kind)
                self.values.report("wrong-shape", value.place, what, to_do=_('Write it as "#RRGGBB"'))
