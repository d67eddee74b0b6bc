"""The words of a dialog that its intent leaves out, in the language that the intent names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from collector.virtual.ui.content import AppTexts, texts_of
from collector.virtual.ui.extras import string

NAME = "companion"
_LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class DialogWords:
    """Names of the texts of one kind of dialog; an empty one has no text of the app's own."""

    title: str = "title"
    message: str = "message"
    buttons: Mapping[str, str] = field(default_factory=dict)
    """By answer."""


def _own(prefix: str, *answers: str, message: bool = True) -> DialogWords:
    buttons = {answer: f"{prefix}_{answer}" for answer in answers}
    return DialogWords(f"{prefix}_title", f"{prefix}_message" if message else "", buttons)


_TWO = ("accept", "deny")
WORDS: dict[str, DialogWords] = {
    "LocationPermissionActivity": DialogWords(buttons={"accept": "allow", "deny": "deny"}),
    "LowBatteryActivity": DialogWords(buttons={"accept": "ok"}),
    "CookieConsentActivity": DialogWords(
        "cookie_title", "cookie_message", {"accept": "accept", "deny": "reject", "manage": "manage"}
    ),
    "ProgressActivity": DialogWords("progress_title", "progress_message", {"accept": "cancel"}),
    "LoginActivity": DialogWords("sign_in", "", {"accept": "sign_in", "deny": "cancel"}),
    "MockAdActivity": DialogWords("ad_title", "ad_message", {"accept": "ad_more", "deny": "close"}),
    "UpdateActivity": _own("update", *_TWO),
    "RatingActivity": _own("rating", *_TWO),
    "PermissionActivity": _own("app_permission", *_TWO, "manage", message=False),
    "CrashActivity": _own("crash", *_TWO, message=False),
    "NotRespondingActivity": _own("not_responding", *_TWO, message=False),
    "BatteryWarningActivity": _own("battery", *_TWO),
    "StorageWarningActivity": _own("storage", *_TWO),
    "NotificationReceiver": _own("notification", *_TWO),
    "ToastReceiver": DialogWords("", "toast_message"),
    "OverlayReceiver": DialogWords(buttons={"accept": "ok", "deny": "cancel"}),
}


def said(extras: Mapping[str, object], locale: str) -> AppTexts:
    """The app's texts in the language of a dialog."""
    language = string(extras, "param_language", "")
    return texts_of(NAME, language if language in _LANGUAGES else locale)


def values_of(extras: Mapping[str, object], say: AppTexts) -> dict[str, object]:
    """What stands in place of the names in the app's texts."""
    return {
        "app": string(extras, "param_app", "") or say("this_app"),
        "version": string(extras, "param_version", ""),
        "percent": extras.get("param_percent", 15),
    }


def title_of(activity: str, extras: Mapping[str, object], say: AppTexts) -> str:
    """The title of a dialog: from the intent, or the app's own."""
    word = WORDS[activity].title
    return string(extras, "param_title", say(word, **values_of(extras, say)) if word else "")


def message_of(activity: str, extras: Mapping[str, object], say: AppTexts) -> str:
    """The message of a dialog: from the intent, or the app's own."""
    word = WORDS[activity].message
    if word == "update_message" and string(extras, "param_version", ""):
        word = "update_message_version"
    return string(extras, "param_message", say(word, **values_of(extras, say)) if word else "")
