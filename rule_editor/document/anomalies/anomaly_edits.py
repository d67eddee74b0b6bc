"""Patches of one anomaly: its fields, parameters, answers, follow-ups and native commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from collector.anomalies import grammar
from collector.anomalies.model import NATIVE
from collector.located_yaml.yaml_patch.patch import YamlPatch
from collector.model.anomaly_terms import EVENT_PREFIX
from collector.model.companion.activities import ACTIVITIES, STYLE, TEXT, DialogButton

ENTRY = (0,)
PARAMS = (*ENTRY, "params")
_FOLLOWING = ("post_actions", "follow_up")
TWO_BUTTONS, ONE_BUTTON = "LocationPermissionActivity", "LowBatteryActivity"
FORMS = {1: ONE_BUTTON, 2: TWO_BUTTONS}
"""The activity of a plain dialog, by its number of buttons."""
_ENDINGS = {"accept": "ACCEPTED", "deny": "DENIED", "manage": "MANAGED"}

ButtonTexts = Mapping[str, str]
"""Texts of new buttons by answer."""


def set_field(patch: YamlPatch, key: str, value: Any) -> None:
    """Set a key of the entry; None or an empty text removes it."""
    patch.put_key(ENTRY, (key,), None if value == "" else value, None, grammar.ENTRY_KEYS)


def set_parameter(patch: YamlPatch, name: str, value: Any, kind: str = TEXT) -> None:
    """Set the value of a parameter; None removes the parameter."""
    written = _mapping(patch, "params").get(name)
    if value is not None and isinstance(written, dict):
        patch.put_key((*PARAMS, name), ("value",), value, None, grammar.PARAMETER_KEYS)
    elif value is not None and kind != TEXT:
        _put_into(patch, "params", name, {"type": kind, "value": value})
    elif value is not None or written is not None:
        _put_into(patch, "params", name, value)


def set_parameter_key(patch: YamlPatch, name: str, key: str, value: Any) -> None:
    """Set the type, a bound or the description of a parameter."""
    written = _mapping(patch, "params").get(name)
    if not isinstance(written, dict):
        if value is None:
            return
        patch.set((*PARAMS, name), {"type": TEXT, "value": written})
    patch.put_key((*PARAMS, name), (key,), value, None, grammar.PARAMETER_KEYS)


def add_parameter(patch: YamlPatch, name: str, kind: str, value: Any) -> None:
    """Add a parameter with its type."""
    _put_into(patch, "params", name, {"type": kind, "value": value})


def rename_parameter(patch: YamlPatch, old: str, new: str) -> None:
    """Rename a parameter, also in the commands that use it."""
    patch.rename_key(PARAMS, old, new)
    commands = patch.plain(ENTRY).get("commands")
    if commands is not None:
        patch.set((*ENTRY, "commands"), _renamed(commands, f"{{{old}}}", f"{{{new}}}"))


def _renamed(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(content, old, new) for key, content in value.items()}
    if isinstance(value, list):
        return [_renamed(item, old, new) for item in value]
    return value.replace(old, new) if isinstance(value, str) else value


# -- answers -------------------------------------------------------------------
def set_event(patch: YamlPatch, answer: str, event: str) -> None:
    """Set the event that a button logs; the follow-ups of the old event belong to the new one."""
    button = _button(patch, answer)
    if button is None:
        return
    old = _text(patch, button.event)
    set_parameter(patch, button.event, event or None)
    shared = any(_text(patch, button.event) == old for button in _buttons(patch) if button.answer != answer)
    for section in _FOLLOWING:
        listed = _mapping(patch, section)
        if event and not shared and EVENT_PREFIX + old in listed and EVENT_PREFIX + event not in listed:
            patch.rename_key((*ENTRY, section), EVENT_PREFIX + old, EVENT_PREFIX + event)


def set_follow_ups(patch: YamlPatch, answer: str, follow_ups: Sequence[Mapping[str, Any]]) -> None:
    """Set the follow-ups of an answer where the file has them: under its event, else under the answer."""
    button = _button(patch, answer)
    event = (
        EVENT_PREFIX + _text(patch, button.event) if button is not None and _text(patch, button.event) else ""
    )
    names = [name for name in (event, answer) if name]
    written = [
        (section, name) for section in _FOLLOWING for name in names if name in _mapping(patch, section)
    ]
    section, key = written[0] if written else (_FOLLOWING[0], names[0])
    for other, name in written[1:]:
        _put_into(patch, other, name, None)
    _put_into(patch, section, key, [dict(follow_up) for follow_up in follow_ups] or None)


def set_activity(patch: YamlPatch, activity: str, words: ButtonTexts) -> None:
    """Show the anomaly in another dialog; answers that both dialogs have keep their texts and events.

    Answers that only the old dialog has are removed with their follow-ups. Answers that only the new
    one has get ``words`` and a new event.
    """
    new = ACTIVITIES.get(activity)
    if new is None:
        set_field(patch, "target_activity", activity)
        return
    new_answers = {button.answer for button in new.buttons}
    for button in _buttons(patch):
        if button.answer not in new_answers:
            set_follow_ups(patch, button.answer, ())
            set_parameter(patch, button.text, None)
            set_parameter(patch, button.event, None)
    for old in _buttons(patch):
        to = next((button for button in new.buttons if button.answer == old.answer), None)
        for before, after in ((old.text, to.text), (old.event, to.event)) if to is not None else ():
            if before != after and before in _mapping(patch, "params"):
                patch.rename_key(PARAMS, before, after)
    for name in [name for name in _mapping(patch, "params") if name not in new.known and name not in STYLE]:
        set_parameter(patch, name, None)
    set_field(patch, "target_activity", activity)
    for button in new.buttons:
        if _text(patch, button.text) == "":
            _put_into(patch, "params", button.text, words.get(button.answer, button.answer))
        if _text(patch, button.event) == "":
            _put_into(patch, "params", button.event, new_event(patch.plain(ENTRY), button.answer))


def restore(patch: YamlPatch, before: Mapping[str, Any], answer: str) -> None:
    """Give a button that was removed and added again its old text, event and follow-ups."""
    button = _button(patch, answer)
    old = before.get("params")
    if button is None or not isinstance(old, dict) or button.text not in old:
        return
    for name in (button.text, button.event):
        if name in old:
            patch.set((*PARAMS, name), old[name])
    for section in _FOLLOWING:
        listed = before.get(section)
        if not isinstance(listed, dict):
            continue
        for key in (EVENT_PREFIX + _text(patch, button.event), answer):
            if key in listed and key not in _mapping(patch, section):
                _put_into(patch, section, key, listed[key])


def new_event(plain: Mapping[str, Any], answer: str) -> str:
    """An event named after the family and the answer, as in the built-in library."""
    stem = str(plain.get("family") or plain.get("id") or "anomaly").upper()
    return f"{stem}_{_ENDINGS.get(answer, answer.upper())}"


def set_kind(patch: YamlPatch, kind: str, plain: Mapping[str, Any], words: ButtonTexts) -> None:
    """Turn a dialog into a native change, or back; keys that only the old kind has are removed.

    ``plain`` is a template entry with commands.
    """
    removed = ("target_activity", "post_actions", "follow_up", "answer", "params", "commands", "undo")
    for key in removed:
        if key in patch.plain(ENTRY):
            set_field(patch, key, None)
    if kind == NATIVE:
        set_field(patch, "kind", kind)
        for key in ("params", "commands"):
            set_field(patch, key, plain[key])
        return
    set_field(patch, "kind", None)
    set_field(patch, "target_activity", TWO_BUTTONS)
    for key in ("title", "message"):
        _put_into(patch, "params", f"param_{key}", words.get(key, key))
    set_activity(patch, TWO_BUTTONS, words)


# -- native ---------------------------------------------------------------------
def set_range_key(patch: YamlPatch, index: int, key: str, value: Any) -> None:
    """Set ``android``, ``apply``, ``undo``, ``remember`` or ``verify`` of one range of Android versions."""
    where = (*ENTRY, "commands", index)
    patch.put_key(where, (key,), value or None, None, (*grammar.NATIVE_KEYS,))


def add_range(patch: YamlPatch, android: str) -> None:
    """Add a range of Android versions with the commands of the last range."""
    listed = patch.plain(ENTRY).get("commands") or []
    new = {**(listed[-1] if listed else {"apply": [], "undo": []}), "android": android}
    if "commands" not in patch.plain(ENTRY):
        set_field(patch, "commands", [new])
    else:
        patch.insert_item((*ENTRY, "commands"), len(listed), new)


def remove_range(patch: YamlPatch, index: int) -> None:
    """Remove one range of Android versions."""
    patch.remove_item((*ENTRY, "commands"), index)


# -- reading --------------------------------------------------------------------
def _put_into(patch: YamlPatch, section: str, name: str, value: Any) -> None:
    """Set a key of a section of the entry; add or remove the section with its first or last key."""
    written = _mapping(patch, section)
    if not written:
        if value is not None:
            set_field(patch, section, {name: value})
    elif value is None and list(written) == [name]:
        set_field(patch, section, None)
    elif value is None or name in written:
        patch.put_key((*ENTRY, section), (name,), value, None, ())
    else:
        patch.insert_key((*ENTRY, section), name, value, list(written)[-1])


def _mapping(patch: YamlPatch, key: str) -> dict[str, Any]:
    value = patch.plain(ENTRY).get(key)
    return value if isinstance(value, dict) else {}


def _text(patch: YamlPatch, name: str) -> str:
    value = _mapping(patch, "params").get(name)
    if isinstance(value, dict):
        value = value.get("value")
    return "" if value is None else str(value)


def _buttons(patch: YamlPatch) -> tuple[DialogButton, ...]:
    known = ACTIVITIES.get(str(patch.plain(ENTRY).get("target_activity", "")))
    return known.buttons if known is not None else ()


def _button(patch: YamlPatch, answer: str) -> DialogButton | None:
    return next((button for button in _buttons(patch) if button.answer == answer), None)
