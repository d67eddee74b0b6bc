"""Tables of the companion app's contract."""

from __future__ import annotations

import tables

from collector.model.companion import contract
from collector.model.companion.activities import ACTIVITIES, STYLE, CompanionActivity

_WORDS = {"text": "text", "integer": "whole number", "number": "number", "flag": "true or false"}


def _code(*words: str) -> str:
    return ", ".join(f"`{word}`" for word in words)


def activities() -> str:
    """What the app can show: buttons with their parameters and events, and other parameters."""
    head = ("Start", "Buttons: parameters, event without one", "Other parameters", "Views")
    return tables.table(
        head,
        (
            (_start(name, activity), _buttons(activity), _others(activity), _views(activity))
            for name, activity in ACTIVITIES.items()
        ),
    )


def _start(name: str, activity: CompanionActivity) -> str:
    notes = ["D-GARA's"] if activity.dgara else []
    notes += ["by `am broadcast`"] if activity.is_receiver else []
    notes += [f"needs `{activity.permission.rpartition('.')[2]}`"] if activity.permission else []
    notes += [f"tag `{activity.log_tag}`"] if activity.log_tag else []
    return f"`{name}`" + (f" ({', '.join(notes)})" if notes else "")


def _buttons(activity: CompanionActivity) -> str:
    return "; ".join(
        f"{button.answer}: {_code(button.text, button.event)}, "
        + (f"`{button.default}`" if button.default else "none")
        for button in activity.buttons
    )


def _others(activity: CompanionActivity) -> str:
    return "; ".join(f"`{name}` ({_WORDS[kind]})" for name, kind in activity.parameters)


def _views(activity: CompanionActivity) -> str:
    return _code(*activity.views, *(button.view for button in activity.buttons if button.view))


def style() -> str:
    """The parameters of looks and behaviour."""
    rows = ((f"`{name}`", _WORDS[kind], meaning) for name, (kind, meaning) in STYLE.items())
    return tables.table(("Parameter", "Value", "Meaning"), rows)


def answers() -> str:
    """Where answers are read, and what stands in them."""
    uri = f"content://{contract.AUTHORITY}"
    rows = (
        (f"`content query --uri {uri}/{contract.VERSION_PATH}`", _code(*contract.VERSION_COLUMNS)),
        (f"`content query --uri {uri}/{contract.ANSWERS_PATH}`", _code(*contract.ANSWER_COLUMNS)),
        (f"`content delete --uri {uri}/{contract.ANSWERS_PATH}`", "forgets every answer"),
        (
            f"`content query --uri {uri}/{contract.OPEN_PATH}`",
            f"{_code(*contract.OPEN_COLUMNS)}; `shown_at` is 0 of one that waits to come back",
        ),
        (
            f"`content call --uri {uri} --method {contract.CLOSE_METHOD} --arg DIALOG`",
            "closes this dialog, or all without `--arg`; how many stands in `closed`",
        ),
        (
            f"`content call --uri {uri} --method {contract.GRANTS_METHOD}`",
            "whether it may draw over apps (`overlay`) and notify (`notifications`)",
        ),
        (f"`logcat -s {contract.EVENT_TAG}`", "the event of the button alone"),
        (f"`logcat -s {contract.ANSWER_TAG}`", "every answer, a JSON object with the columns of answers"),
        (
            f"`{contract.ANSWERS_FILE}`",
            f"the same, an object a line; like the provider it keeps the newest {contract.KEPT_ANSWERS}",
        ),
        (
            "`am broadcast`",
            f"result {contract.RECEIVER_SHOWN} and the name of the dialog; "
            f"or {contract.RECEIVER_REFUSED}, `needs` and the missing permission",
        ),
    )
    return tables.table(("From", "What"), rows)


def how() -> str:
    """How a dialog ended."""
    return tables.table(
        ("`how`", "What happened"), ((f"`{word}`", meaning) for word, meaning in contract.HOW.items())
    )


def permissions() -> str:
    """What the app may do."""
    rows = ((f"`{name}`", meaning) for name, meaning in contract.PERMISSIONS.items())
    return tables.table(("Permission", "What for"), rows)


def helpers() -> str:
    """The activities that show no anomaly, the guard and the chain."""
    rows = (
        (
            f"`{contract.ASK_ACTIVITY}`",
            f"tells why, then has Android ask: `{contract.ASK_PARAMETER}` is `overlay` or `notifications`",
        ),
        (f"`{contract.REMOVE_ACTIVITY}`", "has Android ask the person whether to uninstall the app"),
        (
            f"`{contract.TEST_ACTIVITY}`",
            "a screen that turns from black to white, or back, as a finger comes down, for "
            f"`waymark device check`; with `{contract.TEST_SECURE}` it forbids pictures",
        ),
        (
            "`param_chain`",
            f'`[{{"{contract.CHAIN_ACTIVITY}": NAME, "{contract.CHAIN_PARAMETERS}": {{...}}}}, ...]`',
        ),
    )
    return tables.table(("Name", "What it does"), rows)


GENERATORS = {
    "companion-activities": activities,
    "companion-answers": answers,
    "companion-helpers": helpers,
    "companion-how": how,
    "companion-permissions": permissions,
    "companion-style": style,
}
