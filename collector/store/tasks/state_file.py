"""Read ``rules/states.yaml``, and change it while comments, conditions and unknown keys stay.

The grammar of its conditions is in :mod:`collector.rules`; here they are values that are kept as they are.
"""

from __future__ import annotations

import codecs
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from collector.located_yaml.safe_load import MAX_BYTES, MAX_VALUES, YamlError, safe_load
from collector.located_yaml.yaml_patch.errors import DocumentError, UnsafeEditError
from collector.model.essential_state import PROPOSED, EssentialState
from collector.model.i18n import _
from collector.model.task import Task
from collector.store.files import yaml_files
from collector.store.files.errors import Damaged, NotFound, StoreError
from collector.store.files.list_text import EntryLines, ListText, split
from collector.store.tasks.state_order import Groups, with_headings, with_new_entries

_LIST = "states"
_NEAR_LIMIT = 0.5
_SENTENCES = ("sentence", "description")
"""Both keys are read; new entries get the second, the key of every kind of rule."""
_FIELDS = ("id", "task", "after", "optional", "alternatives", "risk", "status")
_ANCHOR = re.compile(r"(?:^|[\s\[{,:-])[&*][^\s&]")
States = dict[str, EssentialState]


@dataclass(frozen=True, slots=True)
class StateChange:
    """A state that is added, changed or deleted; ``before`` or ``after`` is None where it does not exist."""

    before: EssentialState | None
    after: EssentialState | None

    @property
    def id(self) -> str:
        state = self.after or self.before
        return state.id if state is not None else ""

    @property
    def reversed(self) -> StateChange:
        """The change that takes this one back."""
        return StateChange(self.after, self.before)

    def with_id(self, state_id: str) -> StateChange:
        """The change with ``state_id`` as the id of the state."""
        if state_id == self.id:
            return self
        return StateChange(
            replace(self.before, id=state_id) if self.before is not None else None,
            replace(self.after, id=state_id) if self.after is not None else None,
        )


def real_changes(changes: Iterable[StateChange], states: Mapping[str, EssentialState]) -> list[StateChange]:
    """What ``changes``, made one after another, are to ``states``: at most one change of each state.

    A state that another program changed meanwhile stays as that program left it; changes that were written
    before are left out.
    """
    chains: defaultdict[str, list[StateChange]] = defaultdict(list)
    for change in changes:
        chains[change.id].append(change)
    result = []
    for state_id, chain in chains.items():
        current, last = states.get(state_id), chain[-1].after
        if current != last and any(change.before == current for change in chain):
            result.append(StateChange(current, last))
    return result


def deleted_with_tasks(
    deleted: Iterable[Task], left: Iterable[Task], states: Mapping[str, EssentialState]
) -> tuple[StateChange, ...]:
    """The states that go with deleted tasks: nothing but a sentence, and named by nothing that is left."""
    named = {state_id for task in left for state_id in task.essential_states}
    for state in states.values():
        named.update((*state.after, *state.alternatives))
    ids = dict.fromkeys(state_id for task in deleted for state_id in task.essential_states)
    return tuple(
        StateChange(states[state_id], None)
        for state_id in ids
        if state_id not in named
        and state_id in states
        and states[state_id] == EssentialState(state_id, states[state_id].sentence)
    )


def with_changes(states: Mapping[str, EssentialState], changes: Iterable[StateChange]) -> States:
    """The states after changes."""
    changed = dict(states)
    for change in changes:
        if change.after is None:
            changed.pop(change.id, None)
        else:
            changed[change.id] = change.after
    return changed


def read_states(path: Path) -> States:
    """The states of a file by id; none when there is no file. Raises Damaged."""
    try:
        return states_of(yaml_files.load(path), path.name)
    except NotFound:
        return {}


def states_of(document: object, name: str) -> States:
    """The states of a loaded document; entries that are none are left out. Raises Damaged."""
    listed = document.get(_LIST) if isinstance(document, Mapping) else document
    if listed is None:
        return {}
    if not isinstance(document, Mapping) or not isinstance(listed, list):
        raise Damaged(
            _("{name} cannot be read", name=name),
            _("it has no list of states under `states`"),
            _("Correct it, or restore it from a copy"),
        )
    states = [state for state in map(_state, listed) if state is not None]
    return {state.id: state for state in states}


def _state(entry: object) -> EssentialState | None:
    if not isinstance(entry, Mapping) or not _text(entry, "id"):
        return None
    known = (*_FIELDS, *_SENTENCES)
    return EssentialState(
        id=_text(entry, "id"),
        sentence=next((text for key in _SENTENCES if (text := _text(entry, key))), ""),
        task=_text(entry, "task"),
        after=_texts(entry, "after"),
        optional=entry.get("optional") is True,
        alternatives=_texts(entry, "alternatives"),
        status=_text(entry, "status") or PROPOSED,
        risk=_text(entry, "risk"),
        extra={str(key): value for key, value in entry.items() if key not in known},
    )


def _text(entry: Mapping[str, Any], key: str) -> str:
    value = entry.get(key)
    return "" if value is None or isinstance(value, (list, dict)) else str(value)


def _texts(entry: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = entry.get(key)
    return tuple(map(str, value)) if isinstance(value, list) else ()


def changed_states(
    data: bytes, changes: Sequence[StateChange], name: str, before: Mapping[str, EssentialState],
    groups: Groups = (),
) -> bytes:  # fmt: skip
    """The content of a file with other states. Raises StoreError when it cannot be read again.

    ``before`` are the states of the content ``data``. New states go to the places that ``groups`` say, those
    of none of them to the end.
    """
    text = _decoded(data, name)
    wanted = with_changes(before, changes)
    edited = _edited(text, before, changes, groups)
    if edited is None or (_is_near_limit(edited) and not _reads_as(edited, wanted, name)):
        try:
            edited = _edited_whole(text, before, changes, name)
            if _reads_as(edited, wanted, name):
                return _encoded(data, edited)
        except UnsafeEditError:
            raise yaml_files.layout_error(name) from None
        except DocumentError:
            pass
        raise StoreError(
            _("{name} is not saved, because it could not be read again", name=name),
            "",
            _("Remove unusual characters from the sentences; the file on the disk is as it was"),
        )
    return _encoded(data, edited)


def with_task_headings(data: bytes, name: str, before: Mapping[str, EssentialState], groups: Groups) -> bytes:
    """The content of a file with a heading for each task of which it says nothing; else as it is."""
    text = _decoded(data, name)
    pieces = _pieces(text, before)
    if pieces is None:
        return data
    edited = with_headings(pieces, tuple(before), groups)
    return _encoded(data, edited) if _reads_as(edited, dict(before), name) else data


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Damaged(_("{name} cannot be edited", name=name), str(error)) from None


def _encoded(data: bytes, text: str) -> bytes:
    """The text with the mark of the order of bytes that the file had."""
    mark = codecs.BOM_UTF8
    return (mark if data.startswith(mark) else b"") + text.encode()


def _is_near_limit(text: str) -> bool:
    """Whether a text may be too much to be read again."""
    return max(len(text) / MAX_BYTES, text.count("\n") * 2 / MAX_VALUES) > _NEAR_LIMIT


def _loaded(text: str, name: str) -> object:
    return yaml_files.parse(text.encode(), name) if text.strip() else None


def _reads_as(text: str, wanted: States, name: str) -> bool:
    try:
        return states_of(_loaded(text, name), name) == wanted
    except (StoreError, UnicodeError):
        return False


def _edited(
    text: str, before: Mapping[str, EssentialState], changes: Sequence[StateChange], groups: Groups
) -> str | None:
    """The text with the entries of the changes written anew; None when entries cannot be told apart."""
    pieces = _pieces(text, before)
    if pieces is None:
        return None
    entries, new = dict(zip(before, pieces.entries, strict=True)), dict[str, str]()
    for change in changes:
        old = entries.pop(change.id, None) if change.after is None else entries.get(change.id)
        if old is not None and _state_of_entry(old.text) != before[change.id]:
            return None
        if change.after is None:
            continue
        written = _written(change.after, pieces) if old is None else _patched(old.text, change.after)
        if _state_of_entry(written) != change.after:
            return None
        if old is None:
            new[change.id] = written
        else:
            entries[change.id] = EntryLines(old.gap, written)
    left = ListText(pieces.head, tuple(entries.values()), pieces.tail, pieces.indent)
    return with_new_entries(left, tuple(entries), new, groups)


def _pieces(text: str, before: Mapping[str, EssentialState]) -> ListText | None:
    """A file whose states are ``before``, cut into its entries; None when they cannot be told apart."""
    if before:
        pieces = split(text, _LIST)
    elif not re.search(rf"^{_LIST}[ \t]*:", text, re.MULTILINE):
        newline = "\r\n" if "\r\n" in text else "\n"
        gap = newline if text and not text.endswith("\n") else ""
        pieces = ListText(f"{text}{gap}{_LIST}:{newline}", (), "", 2)
    elif (match := re.search(rf"^{_LIST}[ \t]*:[ \t]*(?:#[^\r\n]*)?\r?$", text, re.MULTILINE)) is None:
        return None
    else:
        text += "" if text.endswith("\n") else "\n"
        end = text.index("\n", match.start()) + 1
        pieces = ListText(text[:end], (), text[end:], 2)
    if pieces is None or len(pieces.entries) != len(before) or not _is_separable(pieces, text):
        return None
    return pieces


def _is_separable(pieces: ListText, text: str) -> bool:
    """Whether the text around the entries is a file without them, so that no text spans an entry."""
    try:
        document = safe_load(pieces.head + pieces.tail, "")
    except YamlError:
        return False
    is_empty = isinstance(document, Mapping) and document.get(_LIST, 0) is None
    return is_empty and not _ANCHOR.search(text)


def _state_of_entry(text: str) -> EssentialState | None:
    """The state of the lines of an entry; None when they cannot be read by themselves."""
    try:
        document = safe_load(text, "")
    except YamlError:
        return None
    return _state(document[0]) if isinstance(document, list) and len(document) == 1 else None


def _written(state: EssentialState, pieces: ListText) -> str:
    """The lines of a new entry; empty for what YAML cannot hold."""
    from collector.located_yaml.yaml_patch import documents  # whoever only reads does not need it

    try:
        return documents.new_entry(entry_of(state), pieces.indent, pieces.newline)
    except DocumentError:
        return ""


def _patched(text: str, state: EssentialState) -> str:
    """The lines of an entry, read before, with the values of ``state``; empty where YAML cannot hold it."""
    raw = safe_load(text, "")[0]
    known = _state(raw)
    assert known is not None
    from collector.located_yaml.yaml_patch import documents  # whoever only reads does not need it

    try:
        return documents.changed_entry(text, raw, _with_values(raw, known, state))
    except DocumentError:
        return ""


def _with_values(raw: Mapping[str, Any], known: EssentialState, state: EssentialState) -> dict[str, Any]:
    """An entry with the values of ``state``; keys whose value is the same stay as they are written."""
    old, new = entry_of(known), entry_of(state)
    result = dict(raw)
    for key in old.keys() | new.keys():
        if old.get(key) == new.get(key):
            continue
        written = next((name for name in _SENTENCES if name in raw), key) if key in _SENTENCES else key
        if key in new:
            result[written] = new[key]
        else:
            result.pop(written, None)
    return result


def entry_of(state: EssentialState) -> dict[str, Any]:
    """The entry of a state in its file, without keys that repeat a default."""
    values: dict[str, Any] = {
        "id": state.id,
        "task": state.task,
        _SENTENCES[1]: state.sentence,
        "after": list(state.after),
        "optional": state.optional,
        "alternatives": list(state.alternatives),
        "risk": state.risk,
        "status": state.status if state.status != PROPOSED else "",
        **state.extra,
    }
    return {key: value for key, value in values.items() if value or key == "id" or key in state.extra}


def _edited_whole(
    text: str, before: Mapping[str, EssentialState], changes: Sequence[StateChange], name: str
) -> str:
    """The text, changed as one document. Raises DocumentError where comments or the layout would be lost."""
    from collector.located_yaml.yaml_patch import documents  # whoever only reads does not need it

    loaded = _loaded(text, name)
    document = loaded if isinstance(loaded, dict) else {}
    changed = {change.id: change for change in changes}
    entries = []
    for entry in document.get(_LIST) or []:
        change = changed.pop(str(entry.get("id")), None) if isinstance(entry, Mapping) else None
        if change is None:
            entries.append(entry)
        elif change.after is not None:
            entries.append(_with_values(entry, before[change.id], change.after))
    entries += [entry_of(change.after) for change in changed.values() if change.after is not None]
    wanted = {**document, _LIST: entries}
    return documents.changed_document(text, wanted, ("id",))
