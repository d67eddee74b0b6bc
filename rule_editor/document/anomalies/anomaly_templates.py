"""Templates for new anomalies, and variants of an existing one in another language or form."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from collector.anomalies.model import CATEGORIES, COMPANION_KIND, NATIVE, Anomaly
from collector.model.companion.activities import ACTIVITIES
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
"""Languages for anomalies, with their labels."""
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
    """Texts for a new dialog in the language of the anomaly, which can differ from that of the window."""
    return _WORDS.get(language, _WORDS["en"])


def template(name: str, language: str = SOURCE_LANGUAGE) -> Plain:
    """The plain value of a new anomaly: ``one`` or ``two`` buttons, or ``native``."""
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
    plain["params"] |= {button.text: words[button.answer] for button in known}
    plain["params"] |= {button.event: new_event(plain, button.answer) for button in known}
    return plain


def siblings(anomaly: Anomaly, every: Collection[Anomaly]) -> list[Anomaly]:
    """The anomalies of the same family and form, itself included: one for each language."""
    return [
        other for other in every
        if _same_family(other, anomaly) and (other.kind, other.activity) == (anomaly.kind, anomaly.activity)
    ]  # fmt: skip


def other_form(anomaly: Anomaly, every: Collection[Anomaly]) -> Anomaly | None:
    """The anomaly's form with one button instead of two, or two instead of one; None when there is none."""
    activity = {ONE_BUTTON: TWO_BUTTONS, TWO_BUTTONS: ONE_BUTTON}.get(anomaly.activity)
    if activity is None:
        return None
    family = (other for other in every if _same_family(other, anomaly))
    return next(
        (other for other in family if (other.language, other.activity) == (anomaly.language, activity)), None
    )


def _same_family(first: Anomaly, second: Anomaly) -> bool:
    """Whether two anomalies have one family; D-GARA's ids, which name none, differ by form and language."""
    return _stem(first.family) == _stem(second.family)


def _stem(family: str) -> str:
    stem, _underscore, ending = family.rpartition("_")
    return _FORM.sub("", stem if ending in LANGUAGES else family)


def in_language(anomaly_id: str, plain: Plain, language: str, taken: Collection[str]) -> Plain:
    """A copy for another language, with the texts still to be translated."""
    stem, _underscore, ending = anomaly_id.rpartition("_")
    wanted = f"{stem if ending in LANGUAGES else anomaly_id}_{language}"
    return _sibling(anomaly_id, plain, free(wanted, taken)) | {"language": language}


def in_form(anomaly_id: str, plain: Plain, buttons: int, taken: Collection[str]) -> Plain:
    """A copy with the id for another number of buttons; it still has the old activity."""
    name = _FORM_WORDS[buttons]
    wanted = _FORM.sub(f"_{name}", anomaly_id, count=1)
    return _sibling(
        anomaly_id, plain, free(wanted if wanted != anomaly_id else f"{anomaly_id}_{name}", taken)
    )


def _sibling(anomaly_id: str, plain: Plain, new_id: str) -> Plain:
    """A copy with a new id in the same family; the id of an entry without a family is the family."""
    head = {"id": new_id, "family": plain.get("family") or anomaly_id}
    return head | {key: value for key, value in plain.items() if key not in head}


def free(wanted: str, taken: Collection[str]) -> str:
    """``wanted``, with a number when it is taken."""
    number, name = 2, wanted
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    return name


def is_form(anomaly: Anomaly) -> bool:
    """Whether the anomaly is a plain dialog, which has a form with one button and one with two."""
    return anomaly.kind == COMPANION_KIND and anomaly.activity in FORMS.values()
