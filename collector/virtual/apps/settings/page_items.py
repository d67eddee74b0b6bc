"""Items of settings pages that are more than a switch, a link or a slider."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.apps.settings.state import SettingsState
from collector.virtual.system.windows.input_methods import method
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts, load, localized
from collector.virtual.ui.drawing.app_marks import app_mark
from collector.virtual.ui.events import Event

Widgets = tuple[w.Widget, ...]
TOTAL_GB, FREE_GB = 64, 39
MINUTES = (1, 2, 5, 10, 30)


def hours_left(level: int) -> int:
    """Estimate the remaining battery hours: a full battery lasts 24 hours."""
    return max(1, round(level * 24 / 100 / 1.8)) if level <= 20 else round(level * 24 / 100)


def radio_row(label: str, chosen: bool, event: Event, key: str) -> w.Widget:
    """A row with a radio button: one of several choices."""
    return w.Row(
        (w.Radio(checked=chosen, class_name="-"), w.Text(text=label, size=15.5, grow=1, class_name="-")),
        gap=20,
        height=56,
        padding=(24, 0),
        key=key,
        id="choice",
        description=label,
        selected=chosen,
        on_tap=event,
        class_name="android.widget.RadioButton",
    )


def link_line(name: str, state: SettingsState, context: Context, say: AppTexts) -> str:
    """The second line of a link: the current value."""
    match name:
        case "wifi":
            if not context.is_on("global", "wifi_on"):
                return say("wifi_off")
            return say("wifi_on_2", name=_network_name(state.network)) if state.network else say("wifi_on")
        case "saver":
            return say("is_on" if context.is_on("global", "low_power") else "is_off")
        case "font":
            sizes = {0.85: "font_small", 1.0: "font_default", 1.15: "font_large", 1.3: "font_largest"}
            scale = context.font_scale
            return say(sizes[scale]) if scale in sizes else f"{scale:.0%}"
        case "languages":
            names = {language["locale"]: language["name"] for language in load("settings")["languages"]}
            return str(names.get(context.locale, context.locale))
        case "keyboards":
            return say(method(context.setting("secure", "default_input_method")).word)
    return ""


def _network_name(network: str) -> str:
    return next((str(entry["name"]) for entry in load("settings")["networks"] if entry["id"] == network), "")


def _networks(state: SettingsState, context: Context, say: AppTexts) -> Widgets:
    if not context.is_on("global", "wifi_on"):
        return ()
    rows = []
    for network in load("settings")["networks"]:
        connected = network["id"] == state.network
        line = localized(network["state"], context.locale)
        if connected and network["id"] != "lab":
            line = say("connected")
        rows.append(
            w.ListItem(
                title=network["name"],
                subtitle=line,
                leading=w.Icon(
                    name="wifi", size=22, color="primary" if connected else "text_2", class_name="-"
                ),
                trailing=w.Icon(name="lock", size=16, color="text_2", class_name="-")
                if network["secured"]
                else None,
                key=network["id"],
                id="wifi_entry",
                selected=connected,
                on_tap=Event("network", network["id"]),
            )
        )
    add = w.ListItem(
        title=say("add_network"),
        leading=w.Icon(name="plus", size=22, color="text_2", class_name="-"),
        key="add",
        id="add_network",
        on_tap=Event("network", "cafe"),
    )
    return (*rows, add)


def _pair(state: SettingsState, context: Context, say: AppTexts) -> Widgets:
    return (
        w.ListItem(
            title=say("pair"),
            subtitle=say("pair_2"),
            leading=w.Icon(name="plus", size=22, class_name="-"),
            enabled=context.is_on("global", "bluetooth_on"),
            id="preference",
            key="pair",
        ),
    )


def _apps(state: SettingsState, context: Context, say: AppTexts) -> Widgets:
    return tuple(
        w.ListItem(
            title=app.label,
            subtitle=app.component.package,
            leading=app_mark(app.icon, 40, 20, 12),
            key=app.name,
            id="app",
            on_tap=Event("app_details", app.component.package),
        )
        for app in context.installed
    )


def _app(state: SettingsState, context: Context, say: AppTexts) -> Widgets:
    package = str(context.extras.get("package", ""))
    app = next((app for app in context.installed if app.component.package == package), None)
    if app is None:
        return (w.Text(text=package or say("nothing"), padding=(24, 24), color="text_2"),)
    head = w.Row(
        (
            app_mark(app.icon, 56, 28, 17),
            w.Column(
                (
                    w.Text(text=app.label, size=20, id="entity_header_title"),
                    w.Text(text=app.component.package, size=13, color="text_2", id="entity_header_summary"),
                ),
                grow=1,
            ),
        ),
        gap=16,
        padding=(24, 12),
    )
    start = w.Button(
        label=say("open"), style="tonal", grow=1, id="open", on_tap=Event("open_app", str(app.component))
    )
    return (head, w.Row((start,), gap=12, padding=(24, 12), key="buttons"))


def _app_notifications(state: SettingsState, context: Context, say: AppTexts) -> Widgets:
    package = str(
        context.extras.get("android.provider.extra.APP_PACKAGE") or context.extras.get("package", "")
    )
    app = next((app for app in context.installed if app.component.package == package), None)
    key = f"notifications_banned:{package}"
    allowed = not context.is_on("secure", key)
    event = Event("put", ("secure", key, "1", "0"))
    words = say("all_notifications", name=app.label if app is not None else package)
    return (
        w.ListItem(
            title=words,
            trailing=w.Switch(
                checked=allowed, on_change=event, id="android:id/switch_widget", description=words
            ),
            key="all",
            id="preference",
            on_tap=event.with_value(not allowed),
        ),
    )


def _storage(state: SettingsState, context: Context, say: AppTexts) -> Widgets:
    low = context.storage_low
    used = TOTAL_GB - 1 if low else TOTAL_GB - FREE_GB
    return (
        w.Column(
            (
                w.Text(text=f"{used} GB", size=44, id="usage_summary", line_height=1.15),
                w.Text(text=say("used_of", total=TOTAL_GB), size=14, color="text_2", id="total_summary"),
                w.Spacer(height=10),
                w.Progress(
                    value=used / TOTAL_GB, color="error" if low else "primary", height=10, id="storage_bar"
                ),
            ),
            padding=(24, 8, 24, 20),
            key="storage",
        ),
        *(
            w.ListItem(title=say(word), subtitle=f"{gigabytes} GB", id="preference", key=word)
            for word, gigabytes in (("images", used - 16), ("apps", 8), ("system", 8))
        ),
    )


def _battery(state: SettingsState, context: Context, say: AppTexts) -> Widgets:
    level = context.battery.level
    line = say("charging") if context.battery.charging else say("about_left", hours=hours_left(level))
    low = level <= 20 and not context.battery.charging
    return (
        w.Column(
            (
                w.Text(text=f"{level} %", size=44, id="battery_level", line_height=1.15),
                w.Text(text=line, size=14, color="text_2", id="battery_line"),
                w.Spacer(height=10),
                w.Progress(
                    value=level / 100, color="error" if low else "primary", height=10, id="battery_bar"
                ),
            ),
            padding=(24, 8, 24, 20),
            key="battery",
        ),
    )


def _saver(state: SettingsState, context: Context, say: AppTexts) -> Widgets:
    rows = (
        w.ListItem(title=say("schedule"), subtitle=say("no_schedule"), id="preference", key="schedule"),
        w.ListItem(title=say("turn_off"), subtitle=say("at_90"), id="preference", key="turn_off"),
        w.Column(
            (
                w.Icon(name="info", size=22, color="text_2"),
                w.Text(text=say("saver_why"), size=14, color="text_2", id="footer"),
            ),
            gap=12,
            align="start",
            padding=(24, 16),
            key="why",
        ),
    )
    return (*_battery(state, context, say), *rows)


def _font_sample(state: SettingsState, context: Context, say: AppTexts) -> Widgets:
    return (
        w.Column(
            (w.Text(text=say("font_sample"), size=18, id="sample"),),
            padding=(20, 24),
            margin=(16, 4, 16, 12),
            radius=20,
            background="surface_container",
            key="sample",
        ),
    )


def _timeout(state: SettingsState, context: Context, say: AppTexts) -> Widgets:
    milliseconds = int(context.setting("system", "screen_off_timeout", "600000") or 600000)
    return (
        w.ListItem(
            title=say("timeout"),
            subtitle=say("after", minutes=milliseconds // 60000),
            id="preference",
            key="timeout",
            on_tap=Event("dialog", "timeout"),
        ),
    )


def _screen_lock(state: SettingsState, context: Context, say: AppTexts) -> Widgets:
    return (w.ListItem(title=say("screen_lock"), subtitle=say("screen_lock_2"), id="preference", key="lock"),)


def _languages(state: SettingsState, context: Context, say: AppTexts) -> Widgets:
    return tuple(
        radio_row(
            language["name"],
            language["locale"] == context.locale,
            Event("language", language["locale"]),
            language["locale"],
        )
        for language in load("settings")["languages"]
    )


def _about(state: SettingsState, context: Context, say: AppTexts) -> Widgets:
    name = context.setting("global", "device_name", "Waymark Phone")
    facts = (("model", name), ("version", context.android), ("build", "WMK.2611.001"))
    return tuple(
        w.ListItem(title=say(word), subtitle=value, id="preference", key=word) for word, value in facts
    )


PARTS: dict[str, Callable[[SettingsState, Context, AppTexts], Widgets]] = {
    "networks": _networks,
    "pair": _pair,
    "apps": _apps,
    "app": _app,
    "app_notifications": _app_notifications,
    "storage": _storage,
    "battery": _battery,
    "saver": _saver,
    "font_sample": _font_sample,
    "timeout": _timeout,
    "screen_lock": _screen_lock,
    "languages": _languages,
    "about": _about,
}


def dialog(state: SettingsState, context: Context, say: AppTexts) -> w.Dialog | None:
    """The dialog that is open over a page."""
    if state.dialog == "join":
        field = w.TextField(
            text=state.password,
            label=say("network_password"),
            kind="password",
            on_change=Event("network_password"),
            on_submit=Event("join"),
            id="network_password",
        )
        return w.Dialog(
            title=_network_name(state.joining),
            body=field,
            buttons=(
                w.Button(label=say("cancel"), style="text", id="cancel", on_tap=Event("dialog")),
                w.Button(
                    label=say("connect"), id="connect", enabled=len(state.password) >= 8, on_tap=Event("join")
                ),
            ),
            on_dismiss=Event("dialog"),
            id="join_dialog",
        )
    if state.dialog == "timeout":
        now = context.setting("system", "screen_off_timeout", "600000")
        rows = tuple(
            radio_row(
                say("after", minutes=minutes),
                now == str(minutes * 60000),
                Event("choose", ("system", "screen_off_timeout", str(minutes * 60000))),
                str(minutes),
            )
            for minutes in MINUTES
        )
        return w.Dialog(
            title=say("timeout"), body=w.Column(rows), on_dismiss=Event("dialog"), id="timeout_dialog"
        )
    return None
