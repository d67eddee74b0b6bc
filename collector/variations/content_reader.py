"""Check what a variation writes into the content of an app against the types of that content."""

from __future__ import annotations

from typing import Any

from collector.located_yaml.nearest_word import did_you_mean, nearest
from collector.located_yaml.value_reader import ValueReader, is_flag, is_number
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.model.variation.plus_merge import PLUS
from collector.variations.content_types import LANGUAGE, ContentType, content_type
from collector.variations.content_values import MeaningReader

_MOST_LISTED = 12
_LANGUAGE_KEY = "language"


class ContentReader:
    """Reads the content of one app after the other."""

    def __init__(self, values: ValueReader) -> None:
        self._values = values
        self._meanings: MeaningReader | None = None
        self._is_whole = True

    def read(self, node: YamlNode, app: str, *, is_whole: bool) -> dict[str, Any]:
        """What is merged onto the content of an app; each thing wrong with it is reported.

        ``is_whole`` when nothing else says more of the content: the file extends no other.
        """
        if node.kind != "mapping":
            self._values.wrong_shape(node, _("A mapping was expected here"))
            return {}
        expected = content_type(app)
        self._is_whole = is_whole
        self._meanings = MeaningReader(self._values, app, node, expected, is_whole=is_whole)
        for key, value in node.pairs:
            if key.text == _LANGUAGE_KEY:
                self._check_language(value)
            else:
                self._check_key(key, value, expected, f"{app}")
        return dict(node.plain) if isinstance(node.plain, dict) else {}

    def _check_language(self, node: YamlNode) -> None:
        if not isinstance(node.plain, str) or not LANGUAGE.fullmatch(node.plain):
            self._values.wrong_shape(node, _("language has to be a language, as de or zh"))

    def _check_key(self, key: YamlNode, value: YamlNode, expected: ContentType, where: str) -> None:
        name = key.text.removeprefix(PLUS)
        inner = expected.keys.get(name) or (expected.item if expected.is_open else None)
        if inner is None:
            known = (*expected.keys, *((_LANGUAGE_KEY,) if "." not in where else ()))
            self._report_key(key, name, known, where)
            return
        self._check(value, inner, f"{where}.{name}", adds=key.text.startswith(PLUS))

    def _check(self, node: YamlNode, expected: ContentType, where: str, *, adds: bool) -> None:
        """``adds`` for a value that is merged onto what is there, of which parts may be missing."""
        kind = _kind_of(node, expected)
        if kind not in expected.kinds:
            what = _("{where} has to be {expected}", where=where, expected=expected.sentence)
            self._values.wrong_shape(node, what)
        elif kind == "list" and expected.numbers and (adds or len(node.items) != expected.numbers):
            what = _("{where} has to be a list of {count} numbers", where=where, count=expected.numbers)
            to_do = _("Write {key} without +", key=where.rpartition(".")[2]) if adds else ""
            self._values.wrong_shape(node, what, to_do)
        elif kind == "list" and expected.item is not None:
            if self._meanings is not None:
                self._meanings.check_range(node, where)
            for item in node.items:
                name = item.get("id") if item.kind == "mapping" else None
                # One that a file adds which this one extends cannot be seen here: see `merged_content`.
                is_known = adds and name is not None and (name.text in expected.ids or not self._is_whole)
                self._check(item, expected.item, where, adds=is_known)
        elif kind == "mapping":
            self._check_mapping(node, expected, where, adds=adds)
        elif self._meanings is not None:
            if kind == "texts":
                self._meanings.check_texts(node, where, adds=adds)
            else:
                self._meanings.check_value(node, where)

    def _check_mapping(self, node: YamlNode, expected: ContentType, where: str, *, adds: bool) -> None:
        for key, value in node.pairs:
            self._check_key(key, value, expected, where)
        missing = sorted(name for name in expected.required
                         if node.get(name) is None and node.get(PLUS + name) is None)  # fmt: skip
        if missing and not adds:
            what = _("{key} is missing in {where}", key=missing[0], where=where)
            self._values.report("missing-field", node.place, what)
        if self._meanings is not None:
            self._meanings.check_mapping(node, where)

    def _report_key(self, key: YamlNode, name: str, known: tuple[str, ...], where: str) -> None:
        better = nearest(name, known)
        to_do = ""
        if better:
            to_do = _("Did you mean {word}?", word=better)
        elif len(known) <= _MOST_LISTED:
            to_do = _("Use one of: {known}", known=", ".join(known))
        what = _("The content of {where} has no key {key}", where=where, key=name)
        fixes = did_you_mean(name, known, key.place)
        self._values.report("unknown-variation-key", key.place, what, to_do=to_do, fixes=fixes)


def _kind_of(node: YamlNode, expected: ContentType) -> str:
    if node.kind == "sequence":
        return "list"
    if node.kind == "mapping":
        are_texts = "texts" in expected.kinds and all(
            LANGUAGE.fullmatch(key.text.removeprefix(PLUS)) and isinstance(value.plain, str)
            for key, value in node.pairs
        )
        return "texts" if are_texts and node.pairs else "mapping"
    if node.is_null:
        return "nothing"
    if is_flag(node):
        return "flag"
    return "number" if is_number(node) else "text"
