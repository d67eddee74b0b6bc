"""Read variation files: YAML in, the factors and diagnostics with lines out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from collector.located_yaml.diagnostics import Diagnostic, Place, Severity
from collector.located_yaml.source import read_source
from collector.located_yaml.value_reader import ValueReader, is_number
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.model.variation.phone_variation import ALL_APPS
from collector.model.variation.plus_merge import PLUS
from collector.variations import keys as k
from collector.variations.content_reader import ContentReader
from collector.variations.content_types import content_apps
from collector.variations.entry_reader import EntryReader
from collector.variations.order_reader import OrderReader

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
    noise: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    orders: tuple[Mapping[str, Any], ...] = ()
    """Those of the variation that it extends are there, too; one with the same id counts instead."""
    diagnostics: tuple[Diagnostic, ...] = ()
    extends_place: Place = field(default_factory=Place)
    content_places: Mapping[str, Place] = field(default_factory=dict)
    """Where the content of each app begins."""

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
        self._entries = EntryReader(self.values)

    def file(self, root: YamlNode | None) -> VariationText:
        if root is None or root.is_null:
            return VariationText()
        if root.kind != "mapping":
            self.values.wrong_shape(root, _("A variation is a mapping with appearance, content or pop_ups"))
            return VariationText()
        self._entries.check_keys(root, k.FILE)
        version = root.get("version")
        if version is not None and version.plain != k.VERSION:
            what = _("This program reads variations of version {number}", number=k.VERSION)
            self.values.report("out-of-range", version.place, what)
        extends = root.get("extends")
        read_content = partial(self._content.read, is_whole=extends is None)
        content = self._by_app(root, k.CONTENT, read_content)
        return VariationText(
            self.values.text(root, "description"),
            self.values.text(root, "extends"),
            self._by_app(root, k.APPEARANCE, self._appearance),
            content,
            self._by_app(root, "pop_ups", self._pop_ups, may_add=True),
            self._by_app(root, k.NOISE, self._noise),
            OrderReader(self._entries).read(root.get("orders"), content, is_whole=extends is None),
            extends_place=extends.place if extends is not None else Place(),
            content_places=self._places(root.get(k.CONTENT)),
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
                self._entries.report_word(_("The phone has no app {word}", word=app), app, known, name)
            else:
                by_app[name.text] = read(value, app)
        return by_app

    @staticmethod
    def _places(node: YamlNode | None) -> dict[str, Place]:
        return {key.text: key.place for key, _value in (node.pairs if node is not None else ())}

    # ---- appearance -----------------------------------------------------------------------------

    def _appearance(self, node: YamlNode, app: str) -> dict[str, Any]:
        if not self._entries.is_mapping(node):
            return {}
        self._entries.check_keys(node, k.APPEARANCE, plus=("colours",))
        for key, value in node.pairs:
            spec = _spec(k.APPEARANCE, key.text.removeprefix(PLUS))
            if spec is not None:
                self._entries.check_value(spec, value)
            if key.text == "orientation" and app != ALL_APPS:
                what = _("One app alone cannot turn the phone")
                self.values.report("wrong-shape", key.place, what, to_do=_("Write it under `all`"))
        return dict(node.plain) if isinstance(node.plain, dict) else {}

    def _noise(self, node: YamlNode, _app: str) -> dict[str, Any]:
        if not self._entries.is_mapping(node):
            return {}
        self._entries.check_entry(node, k.NOISE)
        inputs = node.get("missing_inputs")
        if inputs is not None and is_number(inputs) and not isinstance(inputs.plain, int):
            self.values.wrong_shape(inputs, _("{key} has to be a whole number", key="missing_inputs"))
        return dict(node.plain) if isinstance(node.plain, dict) else {}

    # ---- pop-ups --------------------------------------------------------------------------------

    def _pop_ups(self, node: YamlNode, _app: str) -> list[Any]:
        known: set[str] = set()
        for item in self.values.items(node, _("The pop-ups of an app are a list")):
            if not self._entries.is_mapping(item):
                continue
            self._entries.check_entry(item, k.POP_UP)
            name = item.get("id")
            if name is not None and (not _ID.fullmatch(name.text) or name.text in known):
                what = _(
                    "The id {word} is no word of letters, digits and _, or is there twice", word=name.text
                )
                self.values.report("wrong-shape", name.place, what)
            known.add(name.text if name is not None else "")
            for button in self.values.items(item.get("buttons"), _("The buttons of a pop-up are a list")):
                if self._entries.is_mapping(button):
                    self._check_button(button)
        return list(node.plain) if isinstance(node.plain, list) else []

    def _check_button(self, button: YamlNode) -> None:
        self._entries.check_entry(button, k.BUTTON)
        does = button.get("does")
        app = does.text.removeprefix("open:") if does is not None else ""
        if does is not None and does.text != app and app not in content_apps():
            self._entries.report_word(_("The phone has no app {word}", word=app), app, content_apps(), does)
        elif does is not None and not _DOES.fullmatch(does.text):
            what = _("No button does {word}", word=does.text)
            to_do = _("Use one of: {known}", known="close, stay, home, open:APP")
            self.values.report("unknown-variation-key", does.place, what, to_do=to_do)


def _spec(within: str, name: str) -> k.FileKey | None:
    return next((spec for spec in k.KEYS[within] if spec.name == name), None)
