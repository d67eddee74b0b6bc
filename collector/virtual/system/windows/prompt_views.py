"""Views of the system's dialogs, with the window titles, packages and ids of Android."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from collector.model.variation.phone_variation import PopUp, text_in
from collector.virtual.android_versions import ANDROID_10
from collector.virtual.system.windows import chrome
from collector.virtual.system.windows.input_methods import method
from collector.virtual.system.windows.phrases import say
from collector.virtual.system.windows.prompt import Prompt
from collector.virtual.ui import widgets as w
from collector.virtual.ui.events import Event

_ONE_TIME = frozenset({"CAMERA", "RECORD_AUDIO", "ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION"})
"""Permissions that Android can grant once or only while the app is used."""
_GROUPS = {
    "POST_NOTIFICATIONS": ("bell", "send you notifications"),
    "READ_CONTACTS": ("people", "access your contacts"),
    "WRITE_CONTACTS": ("people", "access your contacts"),
    "READ_CALENDAR": ("calendar", "access your calendar"),
    "WRITE_CALENDAR": ("calendar", "access your calendar"),
    "CAMERA": ("camera", "take pictures and record video"),
    "RECORD_AUDIO": ("mic", "record audio"),
    "ACCESS_FINE_LOCATION": ("pin", "access this device's location"),
    "ACCESS_COARSE_LOCATION": ("pin", "access this device's approximate location"),
    "READ_MEDIA_IMAGES": ("image", "access photos and videos on this device"),
    "CALL_PHONE": ("call", "make and manage phone calls"),
    "READ_SMS": ("mail", "send and view SMS messages"),
}


@dataclass(frozen=True, slots=True)
class PromptView:
    """The window of a dialog: its title for ``dumpsys window``, its package and its content."""

    title: str
    package: str
    widget: w.Widget
    full: bool = False
    """Whether it fills the screen instead of a card."""
    position: Literal["top", "center", "bottom"] = "center"


@dataclass(frozen=True, slots=True)
class PromptContext:
    """Inputs of a view besides its prompt."""

    label: str
    """Name of the app that the prompt is about, or its package."""
    language: str
    sdk: int
    call_active: bool = False
    room: float = 800.0
    """Height of the screen in dp."""
    pop_up: PopUp | None = None
    """What the app opens over itself."""
    caller: str = ""
    """Name of the contact who calls or is called."""

    def say(self, text: str, **values: object) -> str:
        return say(text, self.language, **values)


def view(prompt: Prompt, about: PromptContext) -> PromptView:
    """Build the window of a prompt."""
    return _VIEWS[prompt.kind](prompt, about)


def _answer(prompt: Prompt, answer: str) -> Event:
    return Event("prompt", prompt.number, answer)


def _line(prompt: Prompt, label: str, answer: str, icon: str, name: str) -> w.Widget:
    """A tappable row in an error dialog."""
    return w.Row(
        (
            w.Icon(name=icon, size=20, color="text_2", class_name="-"),
            w.Text(text=label, size=15, grow=1, class_name="-"),
        ),
        gap=16,
        height=52,
        padding=(24, 0),
        key=answer,
        id=f"android:id/{name}",
        class_name="android.widget.Button",
        description=label,
        on_tap=_answer(prompt, answer),
    )


def _error(title: str, *lines: w.Widget) -> w.Widget:
    head = w.Text(text=title, size=20, margin=(24, 22, 24, 8), id="android:id/alertTitle")
    panel = w.Column((head, *lines, w.Spacer(height=12)), id="android:id/parentPanel")
    return chrome.dialog_decor(panel)


def _crash(prompt: Prompt, about: PromptContext) -> PromptView:
    sentence = "{app} keeps stopping" if prompt.repeated else "{app} has stopped"
    card = _error(
        about.say(sentence, app=about.label),
        _line(prompt, about.say("App info"), "info", "info", "aerr_app_info"),
        _line(prompt, about.say("Close app"), "close", "close", "aerr_close"),
    )
    return PromptView(f"Application Error: {prompt.package}", "android", card)


def _anr(prompt: Prompt, about: PromptContext) -> PromptView:
    card = _error(
        about.say("{app} isn't responding", app=about.label),
        _line(prompt, about.say("Close app"), "close", "close", "aerr_close"),
        _line(prompt, about.say("Wait"), "wait", "clock", "aerr_wait"),
    )
    return PromptView(f"Application Not Responding: {prompt.package}", "android", card)


def _permission(prompt: Prompt, about: PromptContext) -> PromptView:
    name = prompt.detail.rpartition(".")[2]
    icon, permission = _GROUPS.get(name, ("lock", name.lower().replace("_", " ")))
    package = "com.android.permissioncontroller"
    activity = f"{package}.permission.ui.GrantPermissionsActivity"
    if about.sdk < ANDROID_10:
        package = "com.android.packageinstaller"
        activity = f"{package}.permission.ui.GrantPermissionsActivity"
    message = about.say("Allow {app} to {permission}?", app=about.label, permission=about.say(permission))
    parts: list[w.Widget] = [
        w.Row((w.Icon(name=icon, size=26, color="primary", id="permission_icon"),), arrange="center"),
        w.Text(text=message, size=18, align="center", margin=(0, 14, 0, 18), id="permission_message"),
    ]
    deny = "permission_deny_and_dont_ask_again_button" if prompt.repeated else "permission_deny_button"
    choices = [("Allow", "allow", "permission_allow_button"), ("Don't allow", "deny", deny)]
    if name in _ONE_TIME and about.sdk >= ANDROID_10:
        choices[:1] = [("While using the app", "allow", "permission_allow_foreground_only_button")]
        if about.sdk > ANDROID_10:
            choices.insert(1, ("Only this time", "once", "permission_allow_one_time_button"))
    parts += [
        w.Button(label=about.say(label), style="tonal", id=id_, on_tap=_answer(prompt, answer), width=w.FILL)
        for label, answer, id_ in choices
    ]
    panel = w.Column(tuple(parts), gap=6, padding=24, id="grant_dialog")
    return PromptView(f"{package}/{activity}", package, chrome.dialog_decor(panel))


def _saver(prompt: Prompt, about: PromptContext) -> PromptView:
    message = about.say(
        "To extend battery life, Battery Saver turns on Dark theme and restricts background activity, "
        "some visual effects and some network connections."
    )
    card = chrome.dialog(
        w.Dialog(
            about.say("Turn on Battery Saver?"),
            message,
            "battery",
            buttons=(
                w.Button(label=about.say("No thanks"), style="text", on_tap=_answer(prompt, "cancel")),
                w.Button(label=about.say("Turn on"), style="text", on_tap=_answer(prompt, "on")),
            ),
        )
    )
    return PromptView("BatterySaverConfirmation", chrome.SYSTEM_UI, card)


def _call(prompt: Prompt, about: PromptContext) -> PromptView:
    talking = about.call_active
    state = about.say("Ongoing call" if talking else "Incoming call")
    buttons = [_round(prompt, about.say("End call" if talking else "Decline"), "decline", "#C5352B")]
    if not talking:
        buttons.append(_round(prompt, about.say("Answer"), "answer", "#1E8E4E"))
    number = (
        (
            w.Text(
                text=prompt.detail,
                size=15,
                color="#C9D3D8",
                align="center",
                id="contactgrid_device_number_text",
            ),
        )
        if about.caller
        else ()
    )
    column = w.Column(
        (
            w.Spacer(height=about.room * 0.12),
            w.Text(text=state, size=15, color="#C9D3D8", align="center", id="contactgrid_status_text"),
            w.Text(
                text=about.caller or prompt.detail,
                size=32,
                color="#FFFFFF",
                align="center",
                id="contactgrid_contact_name",
            ),
            *number,
            w.Spacer(grow=1),
            w.Row(tuple(buttons), arrange="center" if talking else "between", padding=(40, 0)),
            w.Spacer(height=about.room * 0.06 + 24),
        ),
        gap=8,
        background="#1D2B33",
        padding=(24, 0),
        id="incall_content",
        class_name=chrome.FRAME_LAYOUT,
    )
    package = "com.android.dialer"
    return PromptView(f"{package}/com.android.incallui.InCallActivity", package, column, full=True)


def _round(prompt: Prompt, label: str, answer: str, color: str) -> w.Widget:
    mark = w.Row(
        (w.Icon(name="call" if answer == "answer" else "close", size=28, color="#FFFFFF", class_name="-"),),
        width=68,
        height=68,
        radius=34,
        arrange="center",
        background=color,
        class_name="-",
    )
    words = w.Text(text=label, size=14, color="#FFFFFF", align="center", class_name="-")
    return w.Column(
        (mark, words),
        align="center",
        gap=8,
        key=answer,
        id=f"{answer}_button",
        class_name="android.widget.Button",
        description=label,
        on_tap=_answer(prompt, answer),
    )


def _input_method(prompt: Prompt, about: PromptContext) -> PromptView:
    rows = []
    for name in prompt.detail.split(":"):
        chosen = method(name)
        mark = w.Radio(checked=chosen.package == prompt.package, class_name="-", key="mark")
        label = w.Text(text=about.say(chosen.label), size=16, grow=1, id="android:id/text1", key="label")
        rows.append(
            w.Row(
                (label, mark),
                height=56,
                padding=(24, 0),
                key=name,
                class_name="android.widget.LinearLayout",
                on_tap=_answer(prompt, name),
            )
        )
    return PromptView("Select input method", "android", _error(about.say("Choose input method"), *rows))


def _suspended(prompt: Prompt, about: PromptContext) -> PromptView:
    """Tell that a suspended app cannot be opened."""
    card = chrome.dialog(
        w.Dialog(
            about.say("App is not available"),
            about.say("{app} is not available right now.", app=about.label),
            "lock",
            buttons=(w.Button(label=about.say("Close app"), style="text", on_tap=_answer(prompt, "cancel")),),
        )
    )
    return PromptView("android/com.android.internal.app.SuspendedAppActivity", "android", card)


def _pop_up(prompt: Prompt, about: PromptContext) -> PromptView:
    """A window of an app over itself, as its variation has it."""
    shown = about.pop_up
    assert shown is not None
    last = len(shown.buttons) - 1
    buttons = tuple(
        w.Button(
            label=text_in(button.text, about.language),
            style="filled" if i == last else "text",
            key=str(i),
            id=f"pop_up_button_{i + 1}",
            on_tap=_answer(prompt, str(i)),
        )
        for i, button in enumerate(shown.buttons)
    )
    title, message = (text_in(texts, about.language) for texts in (shown.title, shown.message))
    wide = max((len(text_in(button.text, about.language)) for button in shown.buttons), default=0)
    stacked = len(buttons) > _BESIDE or wide > _SHORT
    box = w.Dialog(title, message, shown.icon, buttons=buttons, stacked=stacked, id=f"pop_up_{shown.id}")
    return PromptView(
        f"{prompt.package}/PopUp", prompt.package, chrome.dialog(box), position=_AT[shown.position]
    )


_BESIDE, _SHORT = 2, 14
"""The most buttons beside each other, and the most letters of one of them."""
_AT: dict[str, Literal["top", "center", "bottom"]] = {"top": "top", "center": "center", "bottom": "bottom"}
_VIEWS: dict[str, Callable[[Prompt, PromptContext], PromptView]] = {
    "crash": _crash,
    "anr": _anr,
    "permission": _permission,
    "saver": _saver,
    "call": _call,
    "input_method": _input_method,
    "suspended": _suspended,
    "pop_up": _pop_up,
}
