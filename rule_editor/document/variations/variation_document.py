"""A variation file being edited: every edit of a key becomes a small edit of the text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from collector.located_yaml.source import read_source
from collector.located_yaml.yaml_node import YamlNode
from collector.located_yaml.yaml_patch.errors import DocumentError, UnsafeEditError
from collector.located_yaml.yaml_patch.patch import YamlPatch
from collector.located_yaml.yaml_patch.style import Layout
from collector.model.message import _
from collector.model.variation.plus_merge import PLUS
from collector.variations import keys as k
from collector.variations.reader import VariationText, read_variation
from rule_editor.document.text.text_document import TextDocument

_ORDER = tuple(key.name for key in k.KEYS[k.FILE])


class VariationDocument(TextDocument):
    """A variation with all its edits; each is one undo step. ``path`` is that of its file."""

    def __init__(self, text: str, path: str = "") -> None:
        super().__init__(text, path)
        self._read: tuple[int, VariationText] | None = None

    @property
    def name(self) -> str:
        return Path(self.path).stem

    @property
    def read(self) -> VariationText:
        """What the text says, and what is wrong with it."""
        if self._read is None or self._read[0] != self.revision:
            self._read = (self.revision, read_variation(self._text, Path(self.path).name))
        return self._read[1]

    def values(self, factor: str, app: str) -> Mapping[str, Any]:
        """What the file says of an app in appearance, content or noise, by key without its ``+``."""
        by_app: Mapping[str, Mapping[str, Any]] = getattr(self.read, factor)
        found = by_app.get(app, {})
        return {key.removeprefix(PLUS): value for key, value in found.items()}

    def set_value(self, factor: str, app: str, key: str, value: object) -> None:
        """Set a key of an app; None removes it, and the mappings that are empty then.

        Raises DocumentError, and changes nothing, when the text cannot take the edit.
        """
        patch = self._patch()
        plain = patch.expected if isinstance(patch.expected, dict) else {}
        of_factor = plain.get(factor) or {}
        of_app = of_factor.get(app) or {}
        written = next((name for name in (key, PLUS + key) if name in of_app), None)
        if value is None:
            _remove(patch, factor, app, written, of_factor, of_app)
        elif written is not None:
            patch.set((factor, app, written), value)
        elif of_app:
            patch.insert_key((factor, app), key, value, list(of_app)[-1])
        elif app in of_factor:
            patch.set((factor, app), {key: value})
        elif of_factor:
            patch.insert_key((factor,), app, {key: value}, list(of_factor)[-1])
        elif factor in plain:
            patch.set((factor,), {app: {key: value}})
        else:
            self._insert_top(patch, plain, factor, {app: {key: value}})
        self.set_text(patch.text, _("Change {rule}", rule=key))

    def set_field(self, key: str, text: str) -> None:
        """Set ``description`` or ``extends``; an empty text removes it."""
        patch = self._patch()
        plain = patch.expected if isinstance(patch.expected, dict) else {}
        if key in plain and not text:
            patch.remove_key((), key)
        elif key in plain:
            patch.set((key,), text)
        elif text:
            self._insert_top(patch, plain, key, text)
        self.set_text(patch.text, _("Change {rule}", rule=key))

    def _patch(self) -> YamlPatch:
        text = self._text if self._text.strip() else f"version: {k.VERSION}\n"
        try:
            return YamlPatch(text, _root_of, Layout.LINES)
        except UnsafeEditError:
            raise DocumentError(
                _("The form cannot change this text"), "", _("Correct its YAML first")
            ) from None

    @staticmethod
    def _insert_top(patch: YamlPatch, plain: Mapping[str, Any], key: str, value: object) -> None:
        before = [name for name in _ORDER[: _ORDER.index(key)] if name in plain]
        patch.insert_key((), key, value, before[-1] if before else None)


def _root_of(text: str) -> YamlNode | None:
    source = read_source(text)
    return source.root if source.is_whole else None


def _remove(
    patch: YamlPatch, factor: str, app: str, written: str | None, of_factor: Mapping[str, Any],
    of_app: Mapping[str, Any],
) -> None:  # fmt: skip
    if written is None:
        return
    if len(of_app) > 1:
        patch.remove_key((factor, app), written)
    elif len(of_factor) > 1:
        patch.remove_key((factor,), app)
    else:
        patch.remove_key((), factor)
