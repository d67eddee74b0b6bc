"""Edits of one anomaly, made on the piece of text that holds it; all they do not mean stays as written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from collector.anomalies import grammar
from collector.anomalies.grammar import DialogButton
from collector.anomalies.model import NATIVE
from collector.model.anomaly_terms import EVENT_PREFIX
from rule_editor.document.condition_edits import put
from rule_editor.document.surgery import Workpiece

ENTRY = (0,)
PARAMS = (*ENTRY, "params")
_FOLLOWING = ("post_actions", "follow_up")
TWO_BUTTONS, ONE_BUTTON = "LocationPermissionActivity", "LowBatteryActivity"
FORMS = {1: ONE_BUTTON, 2: TWO_BUTTONS}
"""The activity of a plain dialog, by its number of buttons."""
_ENDINGS = {"accept": "ACCEPTED", "deny": "DENIED", "manage": "MANAGED"}

Words = Mapping[str, str]
"""What stands on a new button, by the word for its answer."""


def set_field(piece: Workpiece, key: str, value: Any) -> None:
    """A key of the entry gets a value; None or an empty text takes it out."""
    put(piece, ENTRY, (key,), None if value == "" else value, None, grammar.ENTRY_KEYS)


def set_parameter(piece: Workpiece, name: str, value: Any, kind: str = grammar.TEXT) -> None:
    """A parameter gets a value, where its file keeps it; None takes the parameter out."""
    written = _mapping(piece, "params").get(name)
    if value is not None and isinstance(written, dict):
        put(piece, (*PARAMS, name), ("value",), value, None, grammar.PARAMETER_KEYS)
    elif value is not None and kind != grammar.TEXT:
        _put_into(piece, "params", name, {"type": kind, "value": value})
    elif value is not None or written is not None:
        _put_into(piece, "params", name, value)


def set_parameter_key(piece: Workpiece, name: str, key: str, value: Any) -> None:
    """What a parameter says of itself besides its value: its type, bounds or description."""
    written = _mapping(piece, "params").get(name)
    if not isinstance(written, dict):
        if value is None:
            return
        piece.set((*PARAMS, name), {"type": grammar.TEXT, "value": written})
    put(piece, (*PARAMS, name), (key,), value, None, grammar.PARAMETER_KEYS)


def add_parameter(piece: Workpiece, name: str, kind: str, value: Any) -> None:
    """A new parameter with its type."""
    _put_into(piece, "params", name, {"type": kind, "value": value})


def rename_parameter(piece: Workpiece, old: str, new: str) -> None:
    """A parameter is called otherwise, in the commands that use it too."""
    piece.rename_key(PARAMS, old, new)
    commands = piece.plain(ENTRY).get("commands")
    if commands is not None:
        piece.set((*ENTRY, "commands"), _renamed(commands, f"{{{old}}}", f"{{{new}}}"))


def _renamed(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(one, old, new) for key, one in value.items()}
    if isinstance(value, list):
        return [_renamed(one, old, new) for one in value]
    return value.replace(old, new) if isinstance(value, str) else value


# -- answers -------------------------------------------------------------------
def set_event(piece: Workpiece, answer: str, event: str) -> None:
    """A button logs another event; what follows the old one follows the new one."""
    button = _button(piece, answer)
    if button is None:
        return
    old = _text(piece, button.event)
    set_parameter(piece, button.event, event or None)
    shared = any(_text(piece, button.event) == old for button in _buttons(piece) if button.answer != answer)
    for section in _FOLLOWING:
        listed = _mapping(piece, section)
        if event and not shared and EVENT_PREFIX + old in listed and EVENT_PREFIX + event not in listed:
            piece.rename_key((*ENTRY, section), EVENT_PREFIX + old, EVENT_PREFIX + event)


def set_follow_ups(piece: Workpiece, answer: str, follow_ups: Sequence[Mapping[str, Any]]) -> None:
    """What follows an answer, where its file keeps it: under its event, else under the answer itself."""
    button = _button(piece, answer)
    event = (
        EVENT_PREFIX + _text(piece, button.event) if button is not None and _text(piece, button.event) else ""
    )
    names = [one for one in (event, answer) if one]
    there = [(section, name) for section in _FOLLOWING for name in names if name in _mapping(piece, section)]
    section, key = there[0] if there else (_FOLLOWING[0], names[0])
    for other, name in there[1:]:
        _put_into(piece, other, name, None)
    _put_into(piece, section, key, [dict(one) for one in follow_ups] or None)


def set_activity(piece: Workpiece, activity: str, words: Words) -> None:
    """Another dialog shows the anomaly: texts and events go with the answers both have.

    Answers only the old one has go, with what follows them; those only the new one has get ``words``
    and an event of their own.
    """
    new = grammar.ACTIVITIES.get(activity)
    if new is None:
        set_field(piece, "target_activity", activity)
        return
    kept = {button.answer for button in new.buttons}
    for button in _buttons(piece):
        if button.answer not in kept:
            set_follow_ups(piece, button.answer, ())
            set_parameter(piece, button.text, None)
            set_parameter(piece, button.event, None)
    for old in _buttons(piece):
        to = next((button for button in new.buttons if button.answer == old.answer), None)
        for before, after in ((old.text, to.text), (old.event, to.event)) if to is not None else ():
            if before != after and before in _mapping(piece, "params"):
                piece.rename_key(PARAMS, before, after)
    for name in [one for one in _mapping(piece, "params") if one not in new.known]:
        set_parameter(piece, name, None)
    set_field(piece, "target_activity", activity)
    for button in new.buttons:
        if _text(piece, button.text) == "":
            _put_into(piece, "params", button.text, words.get(button.answer, button.answer))
        if _text(piece, button.event) == "":
            _put_into(piece, "params", button.event, new_event(piece.plain(ENTRY), button.answer))


def restore(piece: Workpiece, before: Mapping[str, Any], answer: str) -> None:
    """A button that was taken away and is there again gets its words, event and follow-ups back."""
    button = _button(piece, answer)
    old = before.get("params")
    if button is None or not isinstance(old, dict) or button.text not in old:
        return
    for name in (button.text, button.event):
        if name in old:
            piece.set((*PARAMS, name), old[name])
    for section in _FOLLOWING:
        listed = before.get(section)
        if not isinstance(listed, dict):
            continue
        for key in (EVENT_PREFIX + _text(piece, button.event), answer):
            if key in listed and key not in _mapping(piece, section):
                _put_into(piece, section, key, listed[key])


def new_event(plain: Mapping[str, Any], answer: str) -> str:
    """An event named after the family and the answer, as the studio's own library names them."""
    stem = str(plain.get("family") or plain.get("id") or "anomaly").upper()
    return f"{stem}_{_ENDINGS.get(answer, answer.upper())}"


def set_kind(piece: Workpiece, kind: str, plain: Mapping[str, Any], words: Words) -> None:
    """A dialog becomes a native change, or the other way round: what only the old kind has goes.

    ``plain`` is an entry with commands to begin with.
    """
    gone = ("target_activity", "post_actions", "follow_up", "answer", "params", "commands", "undo")
    for key in gone:
        if key in piece.plain(ENTRY):
            set_field(piece, key, None)
    if kind == NATIVE:
        set_field(piece, "kind", kind)
        for key in ("params", "commands"):
            set_field(piece, key, plain[key])
        return
    set_field(piece, "kind", None)
    set_field(piece, "target_activity", TWO_BUTTONS)
    for key in ("title", "message"):
        _put_into(piece, "params", f"param_{key}", words.get(key, key))
    set_activity(piece, TWO_BUTTONS, words)


# -- native ---------------------------------------------------------------------
def set_range_key(piece: Workpiece, index: int, key: str, value: Any) -> None:
    """``android``, ``apply``, ``undo``, ``remember`` or ``verify`` of one range of Android versions."""
    where = (*ENTRY, "commands", index)
    put(piece, where, (key,), value or None, None, (*grammar.NATIVE_KEYS,))


def add_range(piece: Workpiece, android: str) -> None:
    """Commands for one more range of versions, as the last range has them."""
    listed = piece.plain(ENTRY).get("commands") or []
    new = {**(listed[-1] if listed else {"apply": [], "undo": []}), "android": android}
    if "commands" not in piece.plain(ENTRY):
        set_field(piece, "commands", [new])
    else:
        piece.insert_item((*ENTRY, "commands"), len(listed), new)


def remove_range(piece: Workpiece, index: int) -> None:
    """The commands of one range go."""
    piece.remove_item((*ENTRY, "commands"), index)


# -- reading --------------------------------------------------------------------
def _put_into(piece: Workpiece, section: str, name: str, value: Any) -> None:
    """A key of a mapping of the entry, which is made and taken away with its first and last key."""
    there = _mapping(piece, section)
    if not there:
        if value is not None:
            set_field(piece, section, {name: value})
    elif value is None and list(there) == [name]:
        set_field(piece, section, None)
    elif value is None or name in there:
        put(piece, (*ENTRY, section), (name,), value, None, ())
    else:
        piece.insert_key((*ENTRY, section), name, value, list(there)[-1])


def _mapping(piece: Workpiece, key: str) -> dict[str, Any]:
    found = piece.plain(ENTRY).get(key)
    return found if isinstance(found, dict) else {}


def _text(piece: Workpiece, name: str) -> str:
    found = _mapping(piece, "params").get(name)
    if isinstance(found, dict):
        found = found.get("value")
    return "" if found is None else str(found)


def _buttons(piece: Workpiece) -> tuple[DialogButton, ...]:
    known = grammar.ACTIVITIES.get(str(piece.plain(ENTRY).get("target_activity", "")))
    return known.buttons if known is not None else ()


def _button(piece: Workpiece, answer: str) -> DialogButton | None:
    return next((button for button in _buttons(piece) if button.answer == answer), None)
