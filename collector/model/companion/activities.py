"""The activities and receivers of the companion app: their buttons and the extras that they read."""

from __future__ import annotations

from dataclasses import dataclass

TEXT, INTEGER, NUMBER, FLAG = "text", "integer", "number", "flag"
"""Types of extras: ``--es``, ``--ei``, ``--ef`` and ``--ez`` of ``am``."""
OVERLAY, NOTIFICATIONS = "android.permission.SYSTEM_ALERT_WINDOW", "android.permission.POST_NOTIFICATIONS"


@dataclass(frozen=True, slots=True)
class DialogButton:
    """A button of a dialog: the word rules have for it, and the parameters of its text and of its event."""

    answer: str
    text: str
    event: str
    default: str = ""
    """The event that is logged when the intent names none."""


@dataclass(frozen=True, slots=True)
class CompanionActivity:
    """An activity or receiver of the companion app: its buttons, and its other parameters with types."""

    buttons: tuple[DialogButton, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()
    log_tag: str = ""
    """The tag of its events when the intent names none; empty for the usual one."""
    dgara: bool = False
    """D-GARA's AdbSmartTest has it, too."""
    permission: str = ""
    """What it needs from the person or from adb before it can show something."""
    is_receiver: bool = False
    """Started by ``am broadcast``: the app in front stays in front."""

    @property
    def known(self) -> dict[str, str]:
        """Type of every parameter it reads, by name, without the ones of :data:`STYLE`."""
        own = {name: TEXT for button in self.buttons for name in (button.text, button.event)}
        return own | dict(self.parameters)


STYLE: dict[str, tuple[str, str]] = {
    "param_dialog": (TEXT, "Repeated in every answer; the app numbers dialogs without it"),
    "param_language": (
        TEXT,
        "en or zh: language of the words that are left out; the phone's without it",
    ),
    "param_theme": (TEXT, "light or dark; the phone's without it"),
    "param_direction": (TEXT, "ltr or rtl; the language's without it"),
    "param_font_scale": (NUMBER, "0.8 to 2.0: size of the text; the phone's without it"),
    "param_position": (TEXT, "center, top, bottom, top_left, top_right, bottom_left or bottom_right"),
    "param_offset_x": (INTEGER, "dp to the right of the position"),
    "param_offset_y": (INTEGER, "dp below the position"),
    "param_width": (INTEGER, "Width in dp; by the screen without it"),
    "param_background": (TEXT, "Color of the dialog, as #RRGGBB"),
    "param_text_color": (TEXT, "Color of its words, as #RRGGBB"),
    "param_button_color": (TEXT, "Color of its first button, as #RRGGBB"),
    "param_dim": (NUMBER, "0 to 1: how dark the screen behind is; 0.6 without it"),
    "param_back": (FLAG, "Whether Back closes it; true without it"),
    "param_outside": (FLAG, "Whether a touch beside it closes it; false without it"),
    "param_timeout_seconds": (INTEGER, "Seconds until it closes by itself; never without it"),
    "param_returns": (
        INTEGER,
        "0 to 20: how often it comes back when its first button was not touched",
    ),
    "param_return_seconds": (INTEGER, "Seconds until it comes back; 3 without it"),
    "param_chain": (
        TEXT,
        "The next dialogs: a JSON list of objects of activity and parameters",
    ),
}
"""Parameters that every activity of ours reads, with type and meaning. D-GARA's app ignores them."""

_SHOWN = (("param_title", TEXT), ("param_message", TEXT), ("param_log_tag", TEXT))
_APP = ("param_app", TEXT)


def _button(answer: str, word: str, default: str) -> DialogButton:
    return DialogButton(answer, f"param_{word}_btn_text", f"param_{word}_log_event", f"EVENT:{default}")


def _two(name: str) -> tuple[DialogButton, DialogButton]:
    return _button("accept", "accept", f"{name}_ACCEPTED"), _button("deny", "deny", f"{name}_DENIED")


def _silent(*words: tuple[str, str]) -> tuple[DialogButton, ...]:
    """Buttons that log nothing by themselves, as D-GARA's."""
    return tuple(
        DialogButton(answer, f"param_{word}_btn_text", f"param_{word}_log_event") for answer, word in words
    )


def _only(default: str) -> tuple[DialogButton]:
    return (DialogButton("accept", "param_button_text", "param_log_event", f"EVENT:{default}"),)


ACTIVITIES: dict[str, CompanionActivity] = {
    "LocationPermissionActivity": CompanionActivity(
        (
            _button("accept", "allow", "PERMISSION_ALLOWED"),
            _button("deny", "deny", "PERMISSION_DENIED"),
        ),
        _SHOWN,
        dgara=True,
    ),
    "LowBatteryActivity": CompanionActivity(_only("LOW_BATTERY_ACKNOWLEDGED"), _SHOWN, dgara=True),
    "CookieConsentActivity": CompanionActivity(
        (
            _button("accept", "accept", "COOKIE_ACCEPTED_ALL"),
            _button("deny", "reject", "COOKIE_REJECTED_ALL"),
            _button("manage", "manage", "COOKIE_MANAGE_SETTINGS"),
        ),
        _SHOWN,
        log_tag="CookieConsentLogger",
        dgara=True,
    ),
    "ProgressActivity": CompanionActivity(
        _only("PROGRESS_CANCELLED"),
        (
            *_SHOWN,
            ("param_progress", INTEGER),
            ("param_duration_seconds", INTEGER),
            ("param_hangs_at", INTEGER),
            ("param_ends", FLAG),
        ),
        log_tag="ProgressActivityLogger",
        dgara=True,
    ),
    "LoginActivity": CompanionActivity(_silent(("accept", "accept"), ("deny", "deny")), _SHOWN, dgara=True),
    "MockAdActivity": CompanionActivity(
        _silent(("accept", "accept"), ("deny", "deny")),
        (
            *_SHOWN,
            ("image_res", INTEGER),
            ("param_full_screen", FLAG),
            ("param_close_after_seconds", INTEGER),
            ("param_close_size", INTEGER),
            ("param_close_position", TEXT),
        ),
        dgara=True,
    ),
    "RedirectActivity": CompanionActivity(dgara=True),
    "UpdateActivity": CompanionActivity(
        _two("UPDATE"), (*_SHOWN, _APP, ("param_version", TEXT), ("param_forced", FLAG))
    ),
    "RatingActivity": CompanionActivity(_two("RATING"), (*_SHOWN, _APP)),
    "PermissionActivity": CompanionActivity(
        (*_two("PERMISSION"), _button("manage", "manage", "PERMISSION_ONCE")), (*_SHOWN, _APP)
    ),
    "CrashActivity": CompanionActivity(_two("CRASH"), (*_SHOWN, _APP)),
    "NotRespondingActivity": CompanionActivity(_two("NOT_RESPONDING"), (*_SHOWN, _APP)),
    "BatteryWarningActivity": CompanionActivity(_two("BATTERY"), (*_SHOWN, ("param_percent", INTEGER))),
    "StorageWarningActivity": CompanionActivity(_two("STORAGE"), _SHOWN),
    "NotificationReceiver": CompanionActivity(
        _two("NOTIFICATION"), (*_SHOWN, _APP), permission=NOTIFICATIONS, is_receiver=True
    ),
    "ToastReceiver": CompanionActivity(
        parameters=(("param_message", TEXT), ("param_long", FLAG)), is_receiver=True
    ),
    "OverlayReceiver": CompanionActivity(_two("OVERLAY"), _SHOWN, permission=OVERLAY, is_receiver=True),
}
"""What the companion app can show, by the name of its activity or receiver."""
