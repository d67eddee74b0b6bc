"""Read the values of an experiment as its tables of keys define them, and report the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from collector.located_yaml.diagnostics import Place
from collector.located_yaml.nearest_word import change_to, nearest
from collector.located_yaml.value_reader import ValueReader, is_number
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.run.experiment.keys import KEYS, KeySpec, key_of, names_in

_MOST_LISTED = 8


class ExperimentValueReader(ValueReader):
    """Reads words, lists and numbers. A value that is missing or wrong is read as the default."""

    @property
    def has_errors(self) -> bool:
        """Whether anything was reported that keeps the experiment from being run."""
        return any(diagnostic.severity == "error" for diagnostic in self.diagnostics)

    def check_mapping(self, node: YamlNode, within: str, also: Iterable[str] = ()) -> None:
        """Report the keys of a mapping that it does not have, and those it needs; ``also`` are known too."""
        known = (*names_in(within), *also)
        for key, _value in node.pairs:
            if key.kind != "scalar" or key.text not in known:
                what = _("An experiment has no key {key} here", key=key.text)
                self.report_word("unknown-setting", what, key.text, known, key.place)
        for spec in KEYS[within]:
            if spec.required and node.get(spec.name) is None:
                what = _("{key} is missing", key=spec.name)
                to_do = _("Write {key}: {example}", key=spec.name, example=spec.example or "...")
                self.report("missing-field", Place(*_first_line(node)), what, _(spec.doc), to_do)

    def report_word(
        self, code: str, what: str, word: str, known: Iterable[str], place: Place, why: str = "",
        meant: str = "",
    ) -> None:  # fmt: skip
        """Report a word that is none of ``known``, with the one that is ``meant``, the nearest, or some."""
        known = tuple(known)
        better = meant or nearest(word, known)
        if better:
            to_do = _("Did you mean {word}?", word=better)
        elif 0 < len(known) <= _MOST_LISTED:
            to_do = _("Use one of: {known}", known=", ".join(known))
        else:
            to_do = ""
        self.report(code, place, what, why, to_do, fixes=change_to(better, place))

    def found(self, node: YamlNode, key: str) -> YamlNode | None:
        """The value under a key; None when it is missing, or empty, which is reported."""
        value = node.get(key)
        if value is not None and value.is_null:
            self.wrong_shape(value, _("{key} has no value", key=key), _("Write one, or remove the key"))
            return None
        return value

    def check_word(self, text: str, known: Collection[str], node: YamlNode, what: str) -> None:
        """As the base class, with the words that there are."""
        if text not in known:
            self.report_word("unknown-type", what, text, known, node.place)

    def choice(self, node: YamlNode, within: str, key: str) -> str:
        """The word under a key, one of its choices; empty when there is none."""
        return self.word(node, key, key_of(within, key).choices)

    def whole(self, node: YamlNode, within: str, key: str) -> int | None:
        """The whole number under a key, within its range; None when there is none."""
        value = self.found(node, key)
        return None if value is None else self.whole_of(value, key_of(within, key))

    def whole_of(self, value: YamlNode, spec: KeySpec) -> int | None:
        """A value as a whole number; None, and reported, when it is none."""
        if not is_number(value) or not isinstance(value.plain, int):
            self.wrong_shape(value, _("{key} has to be a whole number", key=spec.name))
            return None
        number: int = value.plain
        if not spec.lowest <= number <= spec.highest:
            what = _("{key} is {value}", key=spec.name, value=number)
            why = _("It can be {lowest} to {highest}", lowest=spec.lowest, highest=spec.highest)
            self.report("out-of-range", value.place, what, why)
            return None
        return number

    def words(self, node: YamlNode, within: str, key: str) -> list[YamlNode]:
        """The texts under a key, one by itself or a list; others, and repeated ones, are reported."""
        value = self.found(node, key)
        if value is None:
            return []
        spec = key_of(within, key)
        items = self.entries(value, key)
        scalars = [item for item in items if self.is_word(item, spec)]
        return self.without_repeats(scalars, key)

    def is_word(self, item: YamlNode, spec: KeySpec) -> bool:
        """Whether an item is a text, and one of the choices of its key; else it is reported."""
        if item.kind != "scalar" or item.is_null or not item.text.strip():
            self.wrong_shape(item, _("{key} is a list of words", key=spec.name))
            return False
        what = _("There is no {key} called {word}", key=spec.name, word=item.text)
        self.check_word(item.text, spec.choices or (item.text,), item, what)
        return not spec.choices or item.text in spec.choices

    def entries(self, value: YamlNode, key: str) -> list[YamlNode]:
        """The items of a list; a value that is no list is the only one. An empty list is reported."""
        if value.kind != "sequence":
            return [value]
        if not value.items:
            what = _("{key} is an empty list", key=key)
            self.report("empty-selection", value.place, what, to_do=_("Name something, or remove the key"))
        return value.items

    def without_repeats(self, items: list[YamlNode], key: str) -> list[YamlNode]:
        """The items, each text once; the others are reported."""
        seen: dict[str, YamlNode] = {}
        for item in items:
            if item.text in seen:
                what = _("{key} has {word} twice", key=key, word=item.text)
                why = _("The cells would be the same")
                self.report("duplicate-id", item.place, what, why, _("Remove one of them"))
            else:
                seen[item.text] = item
        return list(seen.values())


def plain_options(node: YamlNode) -> Any:
    """The plain value of a node, with the text of a scalar that JSON cannot hold, such as a date."""
    if node.kind == "mapping":
        return {key.text: plain_options(value) for key, value in node.pairs}
    if node.kind == "sequence":
        return [plain_options(item) for item in node.items]
    is_plain = node.plain is None or isinstance(node.plain, (str, int, float, bool))
    return node.plain if is_plain else node.text


def _first_line(node: YamlNode) -> tuple[int, int, int, int]:
    """The start of a mapping: all of it would be too much to mark."""
    start = node.pairs[0][0].place if node.pairs else node.place
    return start.start, start.end, start.line, start.column
