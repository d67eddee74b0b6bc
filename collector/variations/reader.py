"""Read variation files: YAML in, the factors and diagnostics with lines out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from collector.located_yaml.diagnostics import Diagnostic, Place, Severity
from collector.located_yaml.nearest_word import did_you_mean, nearest
from collector.located_yaml.source import read_source
from collector.located_yaml.value_reader import ValueReader, is_flag, is_number
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.model.variation.phone_variation import ALL_APPS
from collector.model.variation.plus_merge import PLUS
from collector.variations import keys as k
from collector.variations.content_reader import ContentReader
from collector.variations.content_types import LANGUAGE, content_apps

_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_ID = re.compile(r"[A-Za-z0-9_]+")
_DOES = re.compile(r"close|stay|home|open:[a-z_]+")


@dataclass(frozen=True)
class VariationText:
    """What a variation file says, without what it ``extends``, and what is wrong with it."""

    description: str = ""
    extends: str = ""
    appearance: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By app, ``all`` for the others; as the file writes it, with its ``+``."""
    content: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    pop_ups: Mapping[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    """By app; a key with ``+`` adds to those of the variation that it extends."""
    diagnostics: tuple[Diagnostic, ...] = ()
    extends_place: Place = field(default_factory=Place)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """What keeps the variation from being used."""
        return tuple(item for item in self.diagnostics if item.severity is Severity.ERROR)


def read_variation(text: str, path: str = "") -> VariationText:
    """The variation of a text, with the diagnostics of its grammar. Never raises."""
    source = read_source(text)
    reader = _Reader(list(source.diagnostics))
    read = reader.file(source.root) if source.is_whole else VariationText()
    diagnostics = sorted(reader.values.diagnostics, key=lambda item: item.place.start)
    return replace(read, diagnostics=tuple(replace(item, path=path) for item in diagnostics))


class _Reader:
    """Reads one file."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.values = ValueReader(diagnostics)
        self._content = ContentReader(self.values)

    def file(self, root: YamlNode | None) -> VariationText:
        if root is None or root.is_null:
            return VariationText()
        if root.kind != "mapping":
            self.values.wrong_shape(root, _("A variation is a mapping with appearance, content or pop_ups"))
            return VariationText()
        self._check_keys(root, k.FILE)
        version = root.get("version")
        if version is not None and version.plain != k.VERSION:
            what = _("This program reads variations of version {number}", number=k.VERSION)
            self.values.report("out-of-range", version.place, what)
        extends = root.get("extends")
        return VariationText(
            self.values.text(root, "description"),
            self.values.text(root, "extends"),
            self._by_app(root, k.APPEARANCE, self._appearance),
            self._by_app(root, k.CONTENT, self._content.read),
            self._by_app(root, "pop_ups", self._pop_ups, may_add=True),
            extends_place=extends.place if extends is not None else Place(),
        )

    def _by_app(
        self, root: YamlNode, key: str, read: Callable[[YamlNode, str], Any], *, may_add: bool = False
    ) -> dict[str, Any]:
        """What is said of each app."""
        by_app = {}
        expected = _("{key} is a mapping by app, or by `all`", key=key)
        for name, value in self.values.pairs(root.get(key), expected):
            app = name.text.removeprefix(PLUS) if may_add else name.text
            known = (ALL_APPS, *content_apps())
            if app not in known:
                self._report_word(_("The phone has no app {word}", word=app), app, known, name)
            else:
                by_app[name.text] = read(value, app)
        return by_app

    # ---- appearance -----------------------------------------------------------------------------

    def _appearance(self, node: YamlNode, app: str) -> dict[str, Any]:
        if not self._is_mapping(node):
            return {}
        self._check_keys(node, k.APPEARANCE, plus=("colours",))
        for key, value in node.pairs:
            spec = _spec(k.APPEARANCE, key.text.removeprefix(PLUS))
            if spec is not None:
                self._check_value(spec, value)
            if key.text == "orientation" and app != ALL_APPS:
                what = _("One app alone cannot turn the phone")
                self.values.report("wrong-shape", key.place, what, to_do=_("Write it under `all`"))
        return dict(node.plain) if isinstance(node.plain, dict) else {}

    def _check_value(self, spec: k.FileKey, node: YamlNode) -> None:
        checks: dict[str, Callable[[k.FileKey, YamlNode], None]] = {
            k.TEXT: self._check_text, k.TEXTS: self._check_texts, k.WORD: self._check_word,
            k.NUMBER: self._check_number, k.FLAG: self._check_flag, k.COLOURS: self._check_colours,
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

    def _check_word(self, spec: k.FileKey, node: YamlNode) -> None:
        if node.text not in spec.choices:
            what = _("There is no {key} called {word}", key=spec.name, word=node.text or node.kind)
            self._report_word(what, node.text, spec.choices, node)

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

    def _check_colours(self, _spec: k.FileKey, node: YamlNode) -> None:
        for key, value in self.values.pairs(node, _("colours is a mapping of roles to #RRGGBB")):
            if key.text not in k.COLOUR_ROLES:
                what = _("No app has a colour {word}", word=key.text)
                self._report_word(what, key.text, k.COLOUR_ROLES, key)
            if not _COLOUR.fullmatch(value.text):
                what = _("{text} is no colour", text=value.text or value.kind)
                self.values.report("wrong-shape", value.place, what, to_do=_('Write it as "#RRGGBB"'))

    # ---- pop-ups --------------------------------------------------------------------------------

    def _pop_ups(self, node: YamlNode, _app: str) -> list[Any]:
        known: set[str] = set()
        for item in self.values.items(node, _("The pop-ups of an app are a list")):
            if not self._is_mapping(item):
                continue
            self._check_entry(item, k.POP_UP)
            name = item.get("id")
            if name is not None and (not _ID.fullmatch(name.text) or name.text in known):
                what = _(
                    "The id {word} is no word of letters, digits and _, or is there twice", word=name.text
                )
                self.values.report("wrong-shape", name.place, what)
            known.add(name.text if name is not None else "")
            for button in self.values.items(item.get("buttons"), _("The buttons of a pop-up are a list")):
                if self._is_mapping(button):
                    self._check_button(button)
        return list(node.plain) if isinstance(node.plain, list) else []

    def _check_button(self, button: YamlNode) -> None:
        self._check_entry(button, k.BUTTON)
        does = button.get("does")
        if does is not None and not _DOES.fullmatch(does.text):
            what = _("No button does {word}", word=does.text)
            to_do = _("Use one of: {known}", known="close, stay, home, open:APP")
            self.values.report("unknown-variation-key", does.place, what, to_do=to_do)

    def _check_entry(self, node: YamlNode, within: str) -> None:
        """A mapping whose keys and values a table has."""
        self._check_keys(node, within)
        for spec in k.KEYS[within]:
            value = node.get(spec.name)
            if value is not None:
                self._check_value(spec, value)
            elif spec.required:
                self.values.report(
                    "missing-field", node.place, _("{key} is missing", key=spec.name), _(spec.doc)
                )

    # ---- shared ---------------------------------------------------------------------------------

    def _is_mapping(self, node: YamlNode) -> bool:
        if node.kind != "mapping":
            self.values.wrong_shape(node, _("A mapping was expected here"))
        return node.kind == "mapping"

    def _check_keys(self, node: YamlNode, within: str, plus: Iterable[str] = ()) -> None:
        known = [spec.name for spec in k.KEYS[within]]
        allowed = {*known, *(PLUS + name for name in plus)}
        for key, _value in node.pairs:
            if key.text in allowed:
                continue
            what = _("A variation has no key {key} here", key=key.text)
            self._report_word(what, key.text, known, key)

    def _report_word(self, what: str, word: str, known: Iterable[str], node: YamlNode) -> None:
        known = tuple(known)
        better = nearest(word, known)
        to_do = (_("Did you mean {word}?", word=better) if better
                 else _("Use one of: {known}", known=", ".join(known)))  # fmt: skip
        fixes = did_you_mean(word, known, node.place)
        self.values.report("unknown-variation-key", node.place, what, to_do=to_do, fixes=fixes)


def _spec(within: str, name: str) -> k.FileKey | None:
    return next((spec for spec in k.KEYS[within] if spec.name == name), None)
