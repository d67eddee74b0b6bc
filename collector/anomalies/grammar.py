"""The grammar of a library: keys of an entry, types of parameters, activities of the companion app."""

from __future__ import annotations

import re
from dataclasses import dataclass

ROOTS = ("interference_library", "anomalies")
"""The list a library holds: D-GARA's name for it, and ours."""

ENTRY_KEYS = (
    "id", "kind", "family", "category", "language", "description", "target_activity", "params",
    "post_actions", "follow_up", "answer", "risk", "unsafe", "android", "undo", "commands",
)  # fmt: skip
PARAMETER_KEYS = ("type", "value", "minimum", "maximum", "description")
NATIVE_KEYS = ("android", "remember", "apply", "verify", "undo")
REMEMBER_KEYS = ("command", "pattern")
VERIFY_KEYS = ("command", "expect", "once")
NAMED = re.compile(r"\{([A-Za-z_]\w*)\}")
"""A name in a command that a value takes the place of."""
CONSOLE = "emu "
"""What a command begins with that goes to an emulator's console, as ``adb emu`` sends it."""

ADB, LOG = "adb", "log"
FOLLOW_UP_KEYS = {ADB: ("type", "command", "description"), LOG: ("type", "message", "description")}
"""By type of follow-up."""

TEXT, INTEGER, NUMBER, FLAG = "text", "integer", "number", "flag"
TYPES: dict[str, tuple[type, ...]] = {
    TEXT: (str,),
    INTEGER: (int,),
    NUMBER: (int, float),
    FLAG: (bool,),
}
"""What a parameter may be, with what its value then is."""


@dataclass(frozen=True, slots=True)
class DialogButton:
    """A button of a dialog: the word rules have for it, and the parameters of its text and of its event."""

    answer: str
    text: str
    event: str


@dataclass(frozen=True, slots=True)
class CompanionActivity:
    """An activity of the companion app: its buttons and its other parameters, with their types."""

    buttons: tuple[DialogButton, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()

    @property
    def known(self) -> dict[str, str]:
        """Type of every parameter it reads, by name."""
        own = {name: TEXT for button in self.buttons for name in (button.text, button.event)}
        return own | dict(self.parameters)


_SHOWN = (("param_title", TEXT), ("param_message", TEXT), ("param_log_tag", TEXT))
_ONLY = DialogButton("accept", "param_button_text", "param_log_event")

ACTIVITIES: dict[str, CompanionActivity] = {
    "LocationPermissionActivity": CompanionActivity(
        (
            DialogButton("accept", "param_allow_btn_text", "param_allow_log_event"),
            DialogButton("deny", "param_deny_btn_text", "param_deny_log_event"),
        ),
        _SHOWN,
    ),
    "LowBatteryActivity": CompanionActivity((_ONLY,), _SHOWN),
    "CookieConsentActivity": CompanionActivity(
        (
            DialogButton("accept", "param_accept_btn_text", "param_accept_log_event"),
            DialogButton("deny", "param_reject_btn_text", "param_reject_log_event"),
            DialogButton("manage", "param_manage_btn_text", "param_manage_log_event"),
        ),
        _SHOWN,
    ),
    "ProgressActivity": CompanionActivity(
        (_ONLY,), (*_SHOWN, ("param_progress", INTEGER), ("param_duration_seconds", INTEGER))
    ),
    "LoginActivity": CompanionActivity(),
    "MockAdActivity": CompanionActivity(parameters=(("image_res", INTEGER),)),
    "RedirectActivity": CompanionActivity(),
}
"""What the companion app can show, by the name of its activity."""
