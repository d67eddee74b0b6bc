"""Change the text of an experiment, its comments kept, for the window.

Every function takes a text and returns the changed one. A text that cannot take a change without losing
something raises ExperimentError.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from collector.located_yaml.yaml_patch.documents import open_patch
from collector.located_yaml.yaml_patch.errors import DocumentError
from collector.located_yaml.yaml_patch.patch import Path
from collector.located_yaml.yaml_patch.style import Layout
from collector.model.episode_text import BASELINE
from collector.model.i18n import _
from collector.run.experiment.files import ExperimentError
from collector.run.experiment.keys import EXPERIMENT, names_in
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
        edited.set((key,), _plain(value), _ORDER[: _ORDER.index(key)])
    return edited.text


def add_start(text: str, start: str, task: str = "") -> str:
    """Let agents begin at one more step, ``TRAJECTORY@STEP``, of ``task``.

    A task that a list of tasks lacks is added to it. A search for starts gives way to the
    step: a file has steps or a search.
    """
    edited = _EditedText(text)
    written, tasks = edited.plain(("starts",)), edited.plain(("tasks",))
    listed = [] if written is None or isinstance(written, Mapping) else written
    starts = [*(listed if isinstance(listed, list) else [listed]), start]
    if task and isinstance(tasks, list) and task not in tasks:
        edited.set(("tasks",), [*tasks, task])
    edited.set(("starts",), list(dict.fromkeys(starts)), _ORDER[: _ORDER.index("starts")])
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
    if not isinstance(edited.plain(path), dict):
        return text if is_on else remove_entry(text, key, name)
    if is_on:
        edited.remove(path, _SKIP)
    else:
        edited.set((*path, _SKIP), True)
    return edited.text


def put_entry(text: str, key: str, name: str, entry: Entry) -> str:
    """Add an agent or a condition, or replace the one called ``name``; keys that stay keep their text."""
    edited, plain = _EditedText(text), _plain(entry)
    path = edited.entry(key, name)
    listed = edited.plain((key,))
    if path is not None:
        edited.set(path, plain)
    elif listed is None:
        first = [BASELINE] if key == CONDITIONS and plain != BASELINE else []
        edited.set((key,), [*first, plain], _ORDER[: _ORDER.index(key)])
    else:
        edited.set((key,), [*(listed if isinstance(listed, list) else [listed]), plain])
    return edited.text


def remove_entry(text: str, key: str, name: str) -> str:
    """Remove an agent or a condition; without it the text stays as it was."""
    edited = _EditedText(text)
    path = edited.entry(key, name)
    if path is not None:
        left = [] if len(path) == 1 else [*edited.plain((key,))]
        if left:
            del left[int(path[1])]
        edited.set((key,), left)
    return edited.text


class _EditedText:
    """The text of an experiment that is changed step by step, each step read back.

    Paths are keys and indexes from the root. Methods raise ExperimentError.
    """

    def __init__(self, text: str) -> None:
        file = read_experiment(text, ExperimentScope())
        if not file.root.pairs or any(item.code == "W101" for item in file.diagnostics):
            first = next((item.what for item in file.diagnostics), "")
            raise ExperimentError(
                _("The experiment cannot be changed here"), first, _("Correct its file first")
            )
        self._places = {AGENTS: file.agent_places, CONDITIONS: file.condition_places}
        self._patch = open_patch(text, Layout.ONE_LINE)

    @property
    def text(self) -> str:
        return self._patch.text

    def entry(self, key: str, name: str) -> Path | None:
        """The path of an agent or a condition; None without it."""
        node, listed = self._places[key].get(name), self._patch.root.get(key)
        if node is None or listed is None:
            return None
        if listed.kind != "sequence":
            return (key,)
        return key, next(index for index, item in enumerate(listed.items) if item.place == node.place)

    def plain(self, path: Path) -> Any:
        """The plain value at a path; None for a missing key."""
        value = self._patch.plain(path[:-1])
        return value.get(path[-1]) if isinstance(value, dict) else self._patch.plain(path)

    def set(self, path: Path, value: Any, before: tuple[str, ...] = ()) -> None:
        """Set a value; a new key follows the last of ``before`` that is there, else all others."""
        mapping = self._patch.plain(path[:-1])
        with _explained():
            if not isinstance(mapping, dict) or path[-1] in mapping:
                self._patch.set(path, value)
            else:
                known = [key for key in mapping if key in before] or [*mapping]
                self._patch.insert_key(path[:-1], str(path[-1]), value, known[-1])

    def remove(self, path: Path, key: str) -> None:
        """Remove a key of the mapping at a path, if it has it."""
        if key in self._patch.plain(path):
            with _explained():
                self._patch.remove_key(path, key)


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except DocumentError:
        raise ExperimentError(
            _("The experiment cannot be changed here"), _("its layout or its comments would be lost"),
            _("Change its file in an editor"),
        ) from None  # fmt: skip


def _plain(value: Any) -> Any:
    """A value as YAML holds it: lists and dicts."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return value
