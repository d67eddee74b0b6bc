"""Anomalies to begin with, and the other languages and forms of one there is: plain entries of a library."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from collector.anomalies.grammar import ACTIVITIES
from collector.anomalies.model import CATEGORIES, COMPANION_KIND, NATIVE, Anomaly
from collector.model.i18n import N_, SOURCE_LANGUAGE, _
from rule_editor.document.anomalies.anomaly_edits import (
    FORMS,
    ONE_BUTTON,
    TWO_BUTTONS,
    ButtonTexts,
    new_event,
)

Plain = dict[str, Any]
ONE, TWO, CHANGE = "one", "two", "native"
TEMPLATES = (
    (TWO, N_("Dialog with two buttons")),
    (ONE, N_("Dialog with one button")),
    (CHANGE, N_("Change of the phone itself")),
)
LANGUAGES = {"en": "EN", "zh": "\u4e2d\u6587"}
"""Languages an anomaly can be made in, as a switch calls them."""
_WORDS: Mapping[str, ButtonTexts] = {
    "en": {
        "accept": "Continue", "deny": "Not now", "manage": "Manage", "title": "Title", "message": "Message",
    },
    "zh": {
        "accept": "\u7ee7\u7eed", "deny": "\u6682\u4e0d", "manage": "\u7ba1\u7406",
        "title": "\u6807\u9898", "message": "\u5185\u5bb9",
    },
}  # fmt: skip
_FORM_WORDS = {1: "single", 2: "double"}
_FORM = re.compile(r"_(single|double|forced)(?=_|$)")


def words_in(language: str) -> ButtonTexts:
    """What stands on new buttons, in the language of the anomaly and not in that of the window."""
    return _WORDS.get(language, _WORDS["en"])


def template(name: str, language: str = SOURCE_LANGUAGE) -> Plain:
    """A new anomaly: ``one`` or ``two`` buttons, or ``native``."""
    if name == CHANGE:
        return {
            "id": "change", "kind": NATIVE, "family": "change", "category": CATEGORIES[-1],
            "description": _("The battery falls to a few percent"),
            "params": {"level": {"type": "integer", "value": 5, "minimum": 1, "maximum": 100}},
            "commands": [{
                "android": "5+",
                "apply": ["dumpsys battery unplug", "dumpsys battery set level {level}"],
                "undo": ["dumpsys battery reset"],
            }],
        }  # fmt: skip
    words, buttons = words_in(language), 1 if name == ONE else 2
    family = "dialog"
    plain: Plain = {
        "id": f"{family}_{_FORM_WORDS[buttons]}_{language}", "family": family, "category": CATEGORIES[-1],
        "language": language, "description": _("A dialog that comes between"),
        "target_activity": FORMS[buttons],
        "params": {"param_title": words["title"], "param_message": words["message"]},
    }  # fmt: skip
    known = ACTIVITIES[plain["target_activity"]].buttons
    plain["params"] |= {one.text: words[one.answer] for one in known}
    plain["params"] |= {one.event: new_event(plain, one.answer) for one in known}
    return plain


def siblings(anomaly: Anomaly, every: Collection[Anomaly]) -> list[Anomaly]:
    """The anomalies of its family that show it in the same way, itself among them: its languages."""
    return [
        one for one in every
        if _are_kin(one, anomaly) and one.kind == anomaly.kind and one.activity == anomaly.activity
    ]  # fmt: skip


def other_form(anomaly: Anomaly, every: Collection[Anomaly]) -> Anomaly | None:
    """Its counterpart with one button instead of two, or with two; None when there is none."""
    wanted = {ONE_BUTTON: TWO_BUTTONS, TWO_BUTTONS: ONE_BUTTON}.get(anomaly.activity)
    found = (one for one in every if _are_kin(one, anomaly) and one.language == anomaly.language)
    return next((one for one in found if wanted is not None and one.activity == wanted), None)


def _are_kin(one: Anomaly, other: Anomaly) -> bool:
    """Of one family; D-GARA names none, and its ids differ by their form and language alone."""
    return _stem(one.family) == _stem(other.family)


def _stem(family: str) -> str:
    stem, _underscore, ending = family.rpartition("_")
    return _FORM.sub("", stem if ending in LANGUAGES else family)


def in_language(anomaly_id: str, plain: Plain, language: str, taken: Collection[str]) -> Plain:
    """A copy for another language, its words still to be translated."""
    stem, _underscore, ending = anomaly_id.rpartition("_")
    wanted = f"{stem if ending in LANGUAGES else anomaly_id}_{language}"
    return _sibling(anomaly_id, plain, free(wanted, taken)) | {"language": language}


def in_form(anomaly_id: str, plain: Plain, buttons: int, taken: Collection[str]) -> Plain:
    """A copy to be given another number of buttons; its activity is still the old one."""
    name = _FORM_WORDS[buttons]
    wanted = _FORM.sub(f"_{name}", anomaly_id, count=1)
    return _sibling(
        anomaly_id, plain, free(wanted if wanted != anomaly_id else f"{anomaly_id}_{name}", taken)
    )


def _sibling(anomaly_id: str, plain: Plain, new_id: str) -> Plain:
    """The copy names the family, which an entry without one is the head of; an id leads its entry."""
    head = {"id": new_id, "family": plain.get("family") or anomaly_id}
    return head | {key: one for key, one in plain.items() if key not in head}


def free(wanted: str, taken: Collection[str]) -> str:
    """``wanted``, numbered when it is taken."""
    number, name = 2, wanted
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    return name


def is_form(anomaly: Anomaly) -> bool:
    """Whether it is a plain dialog, of which there is a form with one button and one with two."""
    return anomaly.kind == COMPANION_KIND and anomaly.activity in FORMS.values()
