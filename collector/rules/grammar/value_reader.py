"""Read the values of a rule file as the grammar defines them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.selectors import Selector, Term, parse_selector
from collector.located_yaml.diagnostics import QuickFix, TextEdit
from collector.located_yaml.value_reader import ValueReader, is_flag, is_number
from collector.located_yaml.yaml_node import YamlNode
from collector.model.action import ACTIONS
from collector.model.geometry import Rect
from collector.model.i18n import N_, _
from collector.rules.grammar import specs
from collector.rules.grammar.patterns import compile_pattern
from collector.rules.grammar.specs import FieldSpec

ANY_ACTION = "*"
MAX_TEXTS = 200
"""Texts of one list, such as keywords; each is compared with each other."""
_WANTED = {
    specs.TEXTS: N_("a list of texts"),
    specs.STATE_IDS: N_("a list of texts"),
    specs.WHOLE: N_("a whole number"),
    specs.SHARE: N_("a number from 0 to 1"),
    specs.NUMBER: N_("a number"),
    specs.FLAG: N_("true or false"),
    specs.REGION: N_("four whole numbers: left, top, right, bottom"),
}
_A_TEXT = N_("a text")


def compiled_selector(text: str) -> Selector:
    """As :func:`parse_selector`, cached by text, also what cannot be read."""
    read = _read_selector(text)
    if isinstance(read, SelectorError):
        raise SelectorError(read.what, read.why, read.to_do)
    return read


def record_terms(text: str) -> tuple[Term, ...]:
    """The tests of the fields of a record, written as a selector of nodes is; none for an empty text.

    Raises SelectorError for what cannot be read, and for what only nodes of a screen have.
    """
    if not text.strip():
        return ()
    compound = compiled_selector(text).compound
    if compound is None or compound.relation or compound.position is not None:
        raise SelectorError(
            _("A record is meant by its fields alone"), _("it stands in no tree"),
            _("Write fields and values, as in title='Dentist' done='true'"),
        )  # fmt: skip
    return compound.terms


@lru_cache(maxsize=8192)
def _read_selector(text: str) -> Selector | SelectorError:
    try:
        return parse_selector(text)
    except SelectorError as error:
        return error


class _WrongShapeError(Exception):
    """The value has the wrong shape for its key."""


class RuleValueReader(ValueReader):
    """Reads the values of rules, each as its :class:`FieldSpec` describes it."""

    def value(self, spec: FieldSpec, node: YamlNode) -> Any:
        """The value of ``node`` as ``spec`` describes it; None, and a diagnostic, when it is another."""
        if spec.kind in (specs.TEXTS, specs.STATE_IDS) and len(node.items) > MAX_TEXTS:
            what = _("{key} has more than {limit} texts", key=spec.name, limit=MAX_TEXTS)
            self.wrong_shape(node, what)
            return None
        try:
            return self._value(spec, node)
        except _WrongShapeError:
            self._report_wrong(spec, node)
            return None

    def _value(self, spec: FieldSpec, node: YamlNode) -> Any:
        if spec.kind in specs.TEXTUAL:
            return self._text(spec, node)
        if spec.kind in (specs.TEXTS, specs.STATE_IDS):
            return self._texts(spec, node)
        if spec.kind == specs.REGION:
            return self._region(node)
        if spec.kind == specs.FLAG and is_flag(node):
            return node.plain
        if spec.kind != specs.FLAG and is_number(node):
            return self._number(spec, node)
        raise _WrongShapeError

    def mapping(self, node: YamlNode | None) -> dict[str, str]:
        """A mapping of texts to texts; empty when there is none."""
        pairs = self.pairs(node, _("A mapping of answers to what follows was expected here"))
        for key, value in pairs:
            if value.kind != "scalar":
                what = _("What follows {answer} has to be a text", answer=key.text)
                self.wrong_shape(value, what)
        texts = [(key.text, value) for key, value in pairs if value.kind == "scalar"]
        return {name: "" if value.plain is None else value.text for name, value in texts}

    def _number(self, spec: FieldSpec, node: YamlNode) -> int | float:
        number = node.plain
        if spec.kind == specs.WHOLE:
            if number != int(number):
                raise _WrongShapeError
            return int(number)
        if spec.kind == specs.SHARE and not 0 <= number <= 1:
            why = _("It is a share between 0 and 1")
            fixes: tuple[QuickFix, ...] = ()
            if 1 < number <= 100:
                text = f"{number / 100:g}"
                fixes = (QuickFix(_("Change to {word}", word=text), (_write(node, text),)),)
            what = _("{key} is {value}", key=spec.name, value=node.text)
            self.report("out-of-range", node.place, what, why, fixes=fixes)
        return float(number)

    def _text(self, spec: FieldSpec, node: YamlNode) -> str:
        if node.kind != "scalar" or (node.plain is None and not node.text):
            raise _WrongShapeError
        text = node.text
        if spec.kind == specs.SELECTOR:
            self.check_selector(text, node)
        elif spec.kind == specs.PATTERN:
            self._check_pattern(text, node)
        elif spec.kind == specs.ACTION:
            what = _("There is no kind of action {word}", word=text)
            self.check_word(text, (*ACTIONS, ANY_ACTION), node, what)
        elif spec.kind == specs.RECORD:
            self._check_record(text, node)
        elif spec.kind in specs.WORDS:
            what = _("There is no {key} {word}", key=spec.name, word=text)
            self.check_word(text, specs.WORDS[spec.kind], node, what)
        return text

    def check_selector(self, text: str, node: YamlNode) -> None:
        try:
            compiled_selector(text)
        except SelectorError as error:
            self.report("bad-selector", node.place, error.what, error.why, error.to_do)

    def _check_record(self, text: str, node: YamlNode) -> None:
        try:
            record_terms(text)
        except SelectorError as error:
            self.report("bad-selector", node.place, error.what, error.why, error.to_do)

    def _check_pattern(self, text: str, node: YamlNode) -> None:
        try:
            compile_pattern(text)
        except re.error as error:
            self.report(
                "bad-pattern", node.place, _("{text} is no regular expression", text=text), str(error)
            )

    def _texts(self, spec: FieldSpec, node: YamlNode) -> tuple[str, ...]:
        if node.kind == "scalar" and node.plain is not None:
            title = _("Make it a list")
            source = f"[{_flow(node.text)}]"
            fixes = (QuickFix(title, (_write(node, source),)),)
            why = _("D-GARA's engine takes a single text letter by letter") if spec.name == "keywords" else ""
            self.report(
                "wrong-shape", node.place, _("{key} has to be a list", key=spec.name), why, fixes=fixes
            )
            return (node.text,)
        if node.kind != "sequence":
            raise _WrongShapeError
        texts: list[str] = []
        for item in node.items:
            if item.kind == "scalar" and (item.plain is not None or item.text):
                texts.append(item.text)
            else:
                self._report_wrong(spec, item)
        return tuple(texts)

    def _region(self, node: YamlNode) -> Rect:
        numbers = [item.plain for item in node.items]
        whole = all(is_number(item) and isinstance(item.plain, int) for item in node.items)
        if len(numbers) != 4 or not whole or numbers[0] >= numbers[2] or numbers[1] >= numbers[3]:
            raise _WrongShapeError
        return Rect(*numbers)

    def _report_wrong(self, spec: FieldSpec, node: YamlNode) -> None:
        wanted = _(_WANTED.get(spec.kind, _A_TEXT))
        self.report(
            "wrong-shape",
            node.place,
            _("{key} has to be {wanted}", key=spec.name, wanted=wanted),
            _(spec.doc),
        )


def _write(node: YamlNode, text: str) -> TextEdit:
    return TextEdit(node.place.start, node.place.end, text)


def _flow(text: str) -> str:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'
