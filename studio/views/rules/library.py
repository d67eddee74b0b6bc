"""The anomalies of a library file, as the rule form offers them."""

from __future__ import annotations

from functools import lru_cache

from collector.model.words import _
from collector.rules.source import YamlNode, read_source
from rule_editor.widgets.form.actions import Anomaly

_BUTTONS = (
    ("param_allow_btn_text", "param_allow_log_event"),
    ("param_deny_btn_text", "param_deny_log_event"),
    ("param_accept_btn_text", "param_accept_log_event"),
    ("param_reject_btn_text", "param_reject_log_event"),
    ("param_manage_btn_text", "param_manage_log_event"),
    ("param_button_text", "param_log_event"),
)
"""The words on a button and the event it logs, as D-GARA's dialogs name them."""


@lru_cache(maxsize=4)
def anomalies_of(text: str) -> tuple[Anomaly, ...]:
    """Every anomaly of an ``interference_library`` file, with what follows each of its buttons."""
    root = read_source(text).root
    listed = root.get("interference_library") if root is not None and root.kind == "mapping" else None
    found: list[Anomaly] = []
    for entry in listed.items if listed is not None else ():
        name = entry.get("id") if entry.kind == "mapping" else None
        if name is not None and name.text:
            description = entry.get("description")
            answers = tuple(_answers(entry))
            found.append(Anomaly(name.text, description.text if description is not None else "", answers))
    return tuple(found)


def _answers(entry: YamlNode) -> list[tuple[str, str]]:
    params, follow = entry.get("params"), entry.get("post_actions")
    if params is None or params.kind != "mapping":
        return []
    answers: list[tuple[str, str]] = []
    for words, event in _BUTTONS:
        button, logged = params.get(words), params.get(event)
        if button is not None:
            actions = (
                follow.get(f"EVENT:{logged.text}") if follow is not None and logged is not None else None
            )
            answers.append((button.text, _told(actions)))
    return answers


def _told(actions: YamlNode | None) -> str:
    """What follows, in the words of the library, else as the command it is."""
    said: list[str] = []
    for one in actions.items if actions is not None else ():
        if one.kind == "mapping":
            best = one.get("description") or one.get("message") or one.get("command")
            if best is not None:
                said.append(best.text)
    return ", ".join(said) or _("nothing follows")
