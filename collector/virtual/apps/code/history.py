"""Take changes of a text back, and make them again: a word that is typed is one change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from collector.virtual.apps.code.state import CodeEdit, CodeState

_MOST = 200
"""So many changes of a file can be taken back."""
Edits = Mapping[str, tuple[CodeEdit, ...]]


def with_edit(state: CodeState, path: str, before: str, after: str) -> CodeState:
    """The state with a change of a file in its history; what was taken back cannot be made again then."""
    if before == after:
        return state
    edit, known = _edit_of(before, after), state.done.get(path, ())
    joined = _joined(known[-1], edit) if known else None
    known = (*known[:-1], joined) if joined is not None else (*known, edit)[-_MOST:]
    return replace(state, done={**state.done, path: known}, undone=_without(state.undone, {path}))


def taken_back(state: CodeState, path: str, text: str) -> tuple[CodeState, str]:
    """The state and the text of a file without its last change."""
    return _moved(state, path, text, undo=True)


def made_again(state: CodeState, path: str, text: str) -> tuple[CodeState, str]:
    """The state and the text of a file with the change that was taken back last."""
    return _moved(state, path, text, undo=False)


def without_history(state: CodeState, paths: set[str]) -> CodeState:
    """The state in which no change of some files can be taken back."""
    return replace(state, done=_without(state.done, paths), undone=_without(state.undone, paths))


def _moved(state: CodeState, path: str, text: str, *, undo: bool) -> tuple[CodeState, str]:
    source, target = (state.done, state.undone) if undo else (state.undone, state.done)
    known = source.get(path, ())
    if not known:
        return state, text
    edit = known[-1]
    old, new = (edit.inserted, edit.removed) if undo else (edit.removed, edit.inserted)
    changed = text[: edit.start] + new + text[edit.start + len(old) :]
    left = {**source, path: known[:-1]} if known[:-1] else _without(source, {path})
    kept = {**target, path: (*target.get(path, ()), edit)}
    done, undone = (left, kept) if undo else (kept, left)
    return replace(state, done=done, undone=undone), changed


def _without(edits: Edits, paths: set[str]) -> Edits:
    return {path: known for path, known in edits.items() if path not in paths}


def _edit_of(before: str, after: str) -> CodeEdit:
    """What differs: all between the beginning and the end that both share."""
    start = _shared(before, after)
    end = _shared(before[start:][::-1], after[start:][::-1])
    return CodeEdit(start, before[start : len(before) - end], after[start : len(after) - end])


def _shared(first: str, second: str) -> int:
    """How many letters two texts begin with alike."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(first), len(second)))


def _joined(last: CodeEdit, edit: CodeEdit) -> CodeEdit | None:
    """Two changes as one: letters typed one after the other, or deleted one after the other."""
    goes_on = not edit.removed and edit.start == last.start + len(last.inserted)
    if goes_on and last.inserted and len(edit.inserted) == 1 and _is_word(last.inserted[-1] + edit.inserted):
        return replace(last, inserted=last.inserted + edit.inserted)
    if not (edit.inserted or last.inserted) and edit.start == last.start - 1 and len(edit.removed) == 1:
        return CodeEdit(edit.start, edit.removed + last.removed, "")
    return None


def _is_word(letters: str) -> bool:
    return all(letter.isalnum() or letter == "_" for letter in letters)
