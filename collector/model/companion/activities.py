"""The activities and receivers of the companion app: their buttons and the extras that they read."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.i18n import N_

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
    view: str = ""
    """Its resource id, without package and ``id/``; empty where it is no view."""


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
    views: tuple[str, ...] = ()
    """Resource ids of its title, its message and what else it has beside the buttons."""

    @property
    def known(self) -> dict[str, str]:
        """Type of every parameter it reads, by name, without the ones of :data:`STYLE`."""
        own = {name: TEXT for button in self.buttons for name in (button.text, button.event)}
        return own | dict(self.parameters)


STYLE: dict[str, tuple[str, str]] = {
    "param_dialog": (TEXT, N_("Repeated in every answer; the app numbers dialogs without it")),
    "param_language": (TEXT, N_("en or zh: language of the words that are left out; the phone's without it")),
    "param_theme": (TEXT, N_("light or dark; the phone's without it")),
    "param_direction": (TEXT, N_("ltr or rtl; the language's without it")),
    "param_font_scale": (NUMBER, N_("0.8 to 2.0: size of the text; the phone's without it")),
    "param_position": (TEXT, N_("center, top, bottom, top_left, top_right, bottom_left or bottom_right")),
    "param_offset_x": (INTEGER, N_("dp to the right of the position")),
    "param_offset_y": (INTEGER, N_("dp below the position")),
    "param_width": (INTEGER, N_("Width in dp; by the screen without it")),
    "param_background": (TEXT, N_("Color of the dialog, as #RRGGBB")),
    "param_text_color": (TEXT, N_("Color of its words, as #RRGGBB")),
    "param_button_color": (TEXT, N_("Color of its first button, as #RRGGBB")),
    "param_dim": (NUMBER, N_("0 to 1: how dark the screen behind is; 0.6 without it")),
    "param_back": (FLAG, N_("Whether Back closes it; true without it")),
    "param_outside": (FLAG, N_("Whether a touch beside it closes it; without it only those that D-GARA has")),
    "param_timeout_seconds": (INTEGER, N_("Seconds until it closes by itself; never without it")),
    "param_returns": (INTEGER, N_("0 to 20: how often it comes back when its first button was not touched")),
    "param_return_seconds": (INTEGER, N_("Seconds until it comes back; 3 without it")),
    "param_chain": (TEXT, N_("The next dialogs: a JSON list of objects of activity and parameters")),
}
"""Parameters that every activity of ours reads, with type and meaning. D-GARA's app ignores them."""

_SHOWN = (("param_title", TEXT), ("param_message", TEXT), ("param_log_tag", TEXT))
_APP = ("param_app", TEXT)


def _button(answer: str, word: str, default: str, view: str) -> DialogButton:
    return DialogButton(answer, f"param_{word}_btn_text", f"param_{word}_log_event", f"EVENT:{default}", view)


def _two(event: str, prefix: str) -> tuple[DialogButton, DialogButton]:
    """The two buttons of a dialog of ours; its views are named after the prefix."""
    accept, deny = (f"{prefix}_{word}_button" if prefix else "" for word in ("accept", "deny"))
    return _button("accept", "accept", f"{event}_ACCEPTED", accept), _button(
        "deny", "deny", f"{event}_DENIED", deny
    )


def _silent(*words: tuple[str, str, str]) -> tuple[DialogButton, ...]:
    """Buttons that log nothing by themselves, as D-GARA's."""
    return tuple(
        DialogButton(answer, f"param_{word}_btn_text", f"param_{word}_log_event", view=view)
        for answer, word, view in words
    )


def _only(default: str, view: str) -> tuple[DialogButton]:
    return (DialogButton("accept", "param_button_text", "param_log_event", f"EVENT:{default}", view),)


def _text_views(prefix: str, *others: str) -> tuple[str, ...]:
    return f"{prefix}_title", f"{prefix}_message", *others


ACTIVITIES: dict[str, CompanionActivity] = {
    "LocationPermissionActivity": CompanionActivity(
        (
            _button("accept", "allow", "PERMISSION_ALLOWED", "allow_button"),
            _button("deny", "deny", "PERMISSION_DENIED", "deny_button"),
        ),
        _SHOWN,
        dgara=True,
        views=_text_views("permission"),
    ),
    "LowBatteryActivity": CompanionActivity(
        _only("LOW_BATTERY_ACKNOWLEDGED", "ok_button"), _SHOWN, dgara=True, views=_text_views("low_battery")
    ),
    "CookieConsentActivity": CompanionActivity(
        (
            _button("accept", "accept", "COOKIE_ACCEPTED_ALL", "accept_all_button"),
            _button("deny", "reject", "COOKIE_REJECTED_ALL", "reject_all_button"),
            _button("manage", "manage", "COOKIE_MANAGE_SETTINGS", "manage_settings_button"),
        ),
        _SHOWN,
        log_tag="CookieConsentLogger",
        dgara=True,
        views=_text_views("cookie"),
    ),
    "ProgressActivity": CompanionActivity(
        _only("PROGRESS_CANCELLED", "progress_button"),
        (
            *_SHOWN,
            ("param_progress", INTEGER),
            ("param_duration_seconds", INTEGER),
            ("param_hangs_at", INTEGER),
            ("param_ends", FLAG),
        ),
        log_tag="ProgressActivityLogger",
        dgara=True,
        views=_text_views("progress", "dialog_progress_bar"),
    ),
    "LoginActivity": CompanionActivity(
        _silent(("accept", "accept", "login_button"), ("deny", "deny", "login_deny_button")),
        _SHOWN,
        dgara=True,
        views=_text_views("login", "username_edittext", "password_edittext"),
    ),
    "MockAdActivity": CompanionActivity(
        _silent(("accept", "accept", "ad_accept_button"), ("deny", "deny", "btnClose")),
        (
            *_SHOWN,
            ("image_res", INTEGER),
            ("param_full_screen", FLAG),
            ("param_close_after_seconds", INTEGER),
            ("param_close_size", INTEGER),
            ("param_close_position", TEXT),
        ),
        dgara=True,
        views=_text_views("ad", "adCard", "adImage", "ad_countdown"),
    ),
    "RedirectActivity": CompanionActivity(dgara=True, views=("target_text",)),
    "UpdateActivity": CompanionActivity(
        _two("UPDATE", "update"),
        (*_SHOWN, _APP, ("param_version", TEXT), ("param_forced", FLAG)),
        views=_text_views("update"),
    ),
    "RatingActivity": CompanionActivity(
        _two("RATING", "rating"),
        (*_SHOWN, _APP),
        views=_text_views("rating", *(f"rating_star_{number}" for number in range(1, 6))),
    ),
    "PermissionActivity": CompanionActivity(
        (
            *_two("PERMISSION", "app_permission"),
            _button("manage", "manage", "PERMISSION_ONCE", "app_permission_manage_button"),
        ),
        (*_SHOWN, _APP),
        views=_text_views("app_permission"),
    ),
    "CrashActivity": CompanionActivity(_two("CRASH", "crash"), (*_SHOWN, _APP), views=_text_views("crash")),
    "NotRespondingActivity": CompanionActivity(
        _two("NOT_RESPONDING", "not_responding"), (*_SHOWN, _APP), views=_text_views("not_responding")
    ),
    "BatteryWarningActivity": CompanionActivity(
        _two("BATTERY", "battery"), (*_SHOWN, ("param_percent", INTEGER)), views=_text_views("battery")
    ),
    "StorageWarningActivity": CompanionActivity(
        _two("STORAGE", "storage"), _SHOWN, views=_text_views("storage")
    ),
    "NotificationReceiver": CompanionActivity(
        _two("NOTIFICATION", ""), (*_SHOWN, _APP), permission=NOTIFICATIONS, is_receiver=True
    ),
    # Android 13 and newer drop toasts of an app in the background whose notifications are off.
    "ToastReceiver": CompanionActivity(
        parameters=(("param_message", TEXT), ("param_long", FLAG)),
        permission=NOTIFICATIONS,
        is_receiver=True,
    ),
    "OverlayReceiver": CompanionActivity(
        _two("OVERLAY", "overlay"),
        _SHOWN,
        permission=OVERLAY,
        is_receiver=True,
        views=_text_views("overlay"),
    ),
}
"""What the companion app can show, by the name of its activity or receiver."""
