"""Read files of profiles: YAML in, a profile and diagnostics with lines out."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from collector.located_yaml.diagnostics import Diagnostic, Severity
from collector.located_yaml.source import read_source
from collector.located_yaml.value_reader import ValueReader, is_number
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.model.phone.phone_setup import read_density, read_screen
from collector.model.phone.quirks import QUIRKS
from collector.model.phone.sources import FRAME_SOURCES, TREE_SOURCES
from collector.phone_profiles.profile import (
    VERSION,
    DeviceProfile,
    LikePhone,
    PhoneMatch,
    SuitedSettings,
)

_FILE = ("version", "description", "match", "quirks", "settings", "virtual")
_MATCH = ("manufacturers", "models", "android")
_SETTINGS = ("frame-source", "tree-source", "settle-ms")
_VIRTUAL = ("manufacturer", "model", "android", "size", "density")
_VERSIONS = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?")
_SETTLE_MS = (50, 10_000)
_Value = TypeVar("_Value")
_NAME = re.compile(r"[^\x00-\x1f:;=]{1,80}")
"""What a phone can be called: adb loses names with the signs of its own greeting."""


@dataclass(frozen=True, slots=True)
class ProfileText:
    """The profile of a text, and what is wrong with it."""

    profile: DeviceProfile
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """What keeps the profile from being used."""
        return tuple(item for item in self.diagnostics if item.severity is Severity.ERROR)


def read_profile(text: str, name: str, path: str = "") -> ProfileText:
    """The profile of a text with the diagnostics of its grammar. Never raises."""
    source = read_source(text)
    reader = _Reader(list(source.diagnostics))
    read = reader.file(source.root, name) if source.is_whole else DeviceProfile(name)
    found = sorted(reader.values.diagnostics, key=lambda item: item.place.start)
    return ProfileText(read, tuple(replace(item, path=path) for item in found))


class _Reader:
    """Reads one file."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.values = ValueReader(diagnostics)

    def file(self, root: YamlNode | None, name: str) -> DeviceProfile:
        if root is None or root.kind != "mapping":
            if root is not None:
                self.values.wrong_shape(root, _("A profile is a mapping with match, quirks and settings"))
            return DeviceProfile(name)
        self.values.check_keys(root, _FILE)
        version = root.get("version")
        if version is not None and version.plain != VERSION:
            what = _("This program reads profiles of version {number}", number=VERSION)
            self.values.report("out-of-range", version.place, what)
        return DeviceProfile(
            name,
            self.values.text(root, "description"),
            self._match(self._part(root, "match", _MATCH)),
            self._quirks(root),
            self._settings(self._part(root, "settings", _SETTINGS)),
            self._virtual(self._part(root, "virtual", _VIRTUAL)),
        )

    def _part(self, root: YamlNode, key: str, known: tuple[str, ...]) -> YamlNode | None:
        node = root.get(key)
        if node is None or node.is_null:
            return None
        if node.kind != "mapping":
            self.values.wrong_shape(node, _("{key} has to be a mapping", key=key))
            return None
        self.values.check_keys(node, known)
        return node

    def _match(self, node: YamlNode | None) -> PhoneMatch:
        if node is None:
            return PhoneMatch()
        return PhoneMatch(
            self._names(node, "manufacturers"), self._names(node, "models"), self._android(node)
        )

    def _names(self, node: YamlNode, key: str) -> tuple[str, ...]:
        items = self.values.items(node.get(key), _("{key} has to be a list of names", key=key))
        return tuple(item.text for item in items if self._is_name(item))

    def _is_name(self, node: YamlNode) -> bool:
        if node.kind == "scalar" and _NAME.fullmatch(node.text):
            return True
        self.values.wrong_shape(node, _("A name of a phone has 1 to 80 characters, but no : ; ="))
        return False

    def _android(self, node: YamlNode) -> tuple[int, int] | None:
        text = self.values.text(node, "android")
        if not text:
            return None
        found = _VERSIONS.fullmatch(text)
        if found is None:
            place = node.get("android") or node
            self.values.wrong_shape(place, _("Write the versions as 13 or 12-15"))
            return None
        first = int(found[1])
        return first, int(found[2] or first)

    def _quirks(self, root: YamlNode) -> tuple[str, ...]:
        ids = []
        for item in self.values.items(root.get("quirks"), _("quirks has to be a list of ids")):
            what = _("There is no quirk called {word}", word=item.text)
            self.values.check_word(item.text, QUIRKS, item, what)
            ids += [item.text] if item.text in QUIRKS else []
        return tuple(dict.fromkeys(ids))

    def _settings(self, node: YamlNode | None) -> SuitedSettings:
        if node is None:
            return SuitedSettings()
        settle = node.get("settle-ms")
        if settle is not None and not (is_number(settle) and _SETTLE_MS[0] <= settle.plain <= _SETTLE_MS[1]):
            what = _("{key} has to be a number from {least} to {most}", key="settle-ms",
                     least=_SETTLE_MS[0], most=_SETTLE_MS[1])  # fmt: skip
            self.values.report("out-of-range", settle.place, what)
            settle = None
        return SuitedSettings(
            self.values.word(node, "frame-source", FRAME_SOURCES),
            self.values.word(node, "tree-source", TREE_SOURCES),
            int(settle.plain) if settle is not None else None,
        )

    def _virtual(self, node: YamlNode | None) -> LikePhone:
        if node is None:
            return LikePhone()
        for key in ("manufacturer", "model"):
            if (value := node.get(key)) is not None:
                self._is_name(value)
        size = self._read(node, "size", read_screen)
        return LikePhone(
            self.values.text(node, "manufacturer"),
            self.values.text(node, "model"),
            self.values.text(node, "android"),
            str(size) if size is not None else "",
            self._read(node, "density", read_density),
        )

    def _read(self, node: YamlNode, key: str, read: Callable[[str], _Value]) -> _Value | None:
        """The value of a key as ``read`` takes it; what it refuses is reported in its words."""
        text = self.values.text(node, key)
        try:
            return read(text) if text else None
        except ValueError as error:
            self.values.report("out-of-range", (node.get(key) or node).place, str(error))
            return None
