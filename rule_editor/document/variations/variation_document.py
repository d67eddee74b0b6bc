"""A variation file being edited: every edit of a key becomes a small edit of the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
        self._set((factor, app, key), value)

    def entries(self, path: Sequence[str]) -> list[dict[str, Any]]:
        """The entries of a list of the file: pop-ups of an app, orders, or a list of an app's content.

        Keys of ``path`` are found with and without their ``+``. Empty for what is no list of mappings.
        """
        root = _root_of(self._text)
        plain: Any = root.plain if root is not None else None
        for key in path:
            plain = plain.get(_written(plain, key)) if isinstance(plain, dict) else None
        is_list = isinstance(plain, list) and all(isinstance(entry, dict) for entry in plain)
        return [dict(entry) for entry in plain] if is_list else []

    def set_entries(self, path: Sequence[str], entries: Sequence[Mapping[str, Any]]) -> None:
        """Set the entries of a list; without any it is removed, and the mappings that are empty then.

        Raises DocumentError, and changes nothing, when the text cannot take the edit.
        """
        self._set(tuple(path), [dict(entry) for entry in entries] or None)

    def _set(self, path: tuple[str, ...], value: object) -> None:
        """Set what is at a path of keys, each as it is written: with ``+`` or without."""
        patch = self._patch()
        there: tuple[str, ...] = ()
        plain: Any = patch.expected if isinstance(patch.expected, dict) else {}
        for key in path:
            name = _written(plain, key)
            if name is None:
                break
            there, plain = (*there, name), plain[name]
        if value is None:
            if len(there) == len(path):
                _remove(patch, there)
        elif len(there) == len(path):
            patch.set(there, value, ("id",))
        else:
            missing = path[len(there) :]
            for key in reversed(missing[1:]):
                value = {key: value}
            if not there:
                self._insert_top(patch, plain, missing[0], value)
            elif plain:
                patch.insert_key(there, missing[0], value, list(plain)[-1])
            else:
                patch.set(there, {missing[0]: value})
        self.set_text(patch.text, _("Change {rule}", rule=path[-1].removeprefix(PLUS)))

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


def _written(plain: Any, key: str) -> str | None:
    """How a key stands in a mapping: as it is, with ``+`` or without; None when it does not."""
    bare = key.removeprefix(PLUS)
    names = (key, bare, PLUS + bare)
    return next((name for name in names if isinstance(plain, dict) and name in plain), None)


def _remove(patch: YamlPatch, path: tuple[str, ...]) -> None:
    """Remove what is at a path, and the mappings that hold nothing else."""
    while len(path) > 1 and len(patch.plain(path[:-1])) == 1:
        path = path[:-1]
    if len(path) == 1 and len(patch.plain(())) == 1:
        patch.set(path, None)  # a file without any key is none
    else:
        patch.remove_key(path[:-1], path[-1])
