"""Change the text of an experiment, its comments kept, for the window and for renamed ids.

Every function takes a text and returns the changed one. A text that cannot take a change without losing
something raises ExperimentError, and stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from collector.located_yaml import value_edits
from collector.located_yaml.diagnostics import TextEdit
from collector.located_yaml.value_edits import UnsafeChangeError
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.run.experiment.files import ExperimentError
from collector.run.experiment.keys import EXPERIMENT, names_in
from collector.run.experiment.model import BASELINE
from collector.run.experiment.reader import read_experiment
from collector.run.experiment.scope import ExperimentScope

AGENTS, CONDITIONS = "agents", "conditions"
"""The lists whose entries can be switched on and off."""
Entry = str | Mapping[str, Any]
"""An agent or a condition as a file writes it: a word, or a mapping."""
_ORDER = names_in(EXPERIMENT)
_SKIP = "skip"


def set_value(text: str, key: str, value: Any) -> str:
    """Set a key of the experiment, such as ``seeds`` or ``budget``; None removes it.

    Items that a list keeps keep their lines. ValueError for a key that no experiment has.
    """
    if key not in _ORDER:
        raise ValueError(f"an experiment has no key {key}")
    edited = _EditedText(text)
    if value is None:
        edited.remove((), key)
    else:
        edited.set((), key, _plain(value), _ORDER[: _ORDER.index(key)])
    return edited.text


def switch(text: str, key: str, name: str, is_on: bool, entry: Entry | None = None) -> str:
    """Switch an agent or a condition on or off; ``key`` is AGENTS or CONDITIONS.

    A mapping that is switched off stays in the file with ``skip: true``; a word goes. One that is not in the
    file is added as ``entry``, by default the word ``name``.
    """
    edited = _EditedText(text)
    path = edited.entry(key, name)
    if path is None:
        return put_entry(text, key, name, name if entry is None else entry) if is_on else text
    if edited.node(path).kind == "scalar":
        return text if is_on else remove_entry(text, key, name)
    if is_on:
        edited.remove(path, _SKIP)
    else:
        edited.set(path, _SKIP, True)
    return edited.text


def put_entry(text: str, key: str, name: str, entry: Entry) -> str:
    """Add an agent or a condition, or replace the one called ``name``; keys that stay keep their text."""
    edited, plain = _EditedText(text), _plain(entry)
    path = edited.entry(key, name)
    if path is not None:
        edited.replace(path, plain)
        return edited.text
    listed = edited.root.get(key)
    if listed is None:
        first = [BASELINE] if key == CONDITIONS and plain != BASELINE else []
        edited.set((), key, [*first, plain], _ORDER[: _ORDER.index(key)])
    else:
        items = listed.plain if listed.kind == "sequence" else [] if listed.is_null else [listed.plain]
        edited.set((), key, [*items, plain])
    return edited.text


def remove_entry(text: str, key: str, name: str) -> str:
    """Remove an agent or a condition; without it the text stays as it was."""
    edited = _EditedText(text)
    path = edited.entry(key, name)
    if path is not None:
        left = [] if len(path) == 1 else [*edited.plain((key,))]
        if left:
            del left[int(path[1])]
        edited.set((), key, left)
    return edited.text


class _EditedText:
    """The text of an experiment that is changed step by step, each step read back.

    Paths are keys and indexes from the root. Methods raise ExperimentError.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._read()

    def _read(self) -> None:
        self._file = read_experiment(self.text, ExperimentScope())
        self.root = self._file.root
        if not self.root.pairs or any(item.code == "W101" for item in self._file.diagnostics):
            first = next((item.what for item in self._file.diagnostics), "")
            raise ExperimentError(
                _("The experiment cannot be changed here"), first, _("Correct its file first")
            )

    def entry(self, key: str, name: str) -> tuple[str | int, ...] | None:
        """The path of an agent or a condition; None without it."""
        places = self._file.agent_places if key == AGENTS else self._file.condition_places
        node, listed = places.get(name), self.root.get(key)
        if node is None or listed is None:
            return None
        if listed.kind != "sequence":
            return (key,)
        return key, next(index for index, item in enumerate(listed.items) if item.place == node.place)

    def node(self, path: tuple[str | int, ...]) -> YamlNode:
        """The node at a path."""
        node = self.root
        for step in path:
            inner = node.items[step] if isinstance(step, int) else node.get(step)
            assert inner is not None, path
            node = inner
        return node

    def plain(self, path: tuple[str | int, ...]) -> Any:
        """The plain value at a path."""
        return self.node(path).plain

    def set(self, path: tuple[str | int, ...], key: str, value: Any, after: tuple[str, ...] = ()) -> None:
        """Set a key of the mapping at a path."""
        mapping = self.node(path)
        if key in mapping.plain and _same(mapping.plain[key], value):
            return
        edits = self._edits(lambda: value_edits.set_pair(self.text, mapping, key, value, after))
        self._apply(edits, path, {**mapping.plain, key: value})

    def remove(self, path: tuple[str | int, ...], key: str) -> None:
        """Remove a key of the mapping at a path, if it has it."""
        mapping = self.node(path)
        if key in mapping.plain:
            rest = {name: value for name, value in mapping.plain.items() if name != key}
            self._apply(self._edits(lambda: value_edits.remove_pair(self.text, mapping, key)), path, rest)

    def replace(self, path: tuple[str | int, ...], value: Any) -> None:
        """Replace an entry; of two mappings only the keys that differ."""
        before = self.plain(path)
        if isinstance(before, dict) and isinstance(value, dict):
            for key in value:
                self.set(path, key, value[key])
            for key in [key for key in before if key not in value]:
                self.remove(path, key)
        elif before != value:
            edits = self._edits(lambda: value_edits.replace_node(self.node(path), value))
            self._apply(edits, path, value)

    def _edits(self, make: Callable[[], list[TextEdit]]) -> list[TextEdit]:
        try:
            return make()
        except (UnsafeChangeError, ValueError):
            raise _unsafe() from None

    def _apply(self, edits: list[TextEdit], path: tuple[str | int, ...], value: Any) -> None:
        expected = _with(self.root.plain, path, value)
        try:
            self.text = value_edits.checked(self.text, edits, expected)
        except UnsafeChangeError:
            raise _unsafe() from None
        self._read()


def _unsafe() -> ExperimentError:
    return ExperimentError(
        _("The experiment cannot be changed here"), _("its layout or its comments would be lost"),
        _("Change its file in an editor"),
    )  # fmt: skip


def _with(root: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """``root`` with another value at a path."""
    if not path:
        return value
    copied: Any = dict(root) if isinstance(root, dict) else list(root)
    copied[path[0]] = _with(root[path[0]], path[1:], value)
    return copied


def _same(one: Any, other: Any) -> bool:
    """Whether two plain values are equal, and of the same type: true is not 1."""
    return repr(one) == repr(other)


def _plain(value: Any) -> Any:
    """A value as YAML holds it: lists and dicts."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return value
