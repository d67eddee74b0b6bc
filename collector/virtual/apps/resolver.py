"""The share sheet: the apps that take what another one sends, and what is sent."""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.android_versions import ANDROID_14
from collector.virtual.apps.system_app import SystemApp
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Activity, AppIcon, Context, InstalledApp
from collector.virtual.ui.content import AppTexts, texts_of
from collector.virtual.ui.drawing.app_marks import app_mark
from collector.virtual.ui.drawing.photos import photo
from collector.virtual.ui.effects import (
    ACTION_CHOOSER,
    EXTRA_INTENT,
    EXTRA_STREAM,
    EXTRA_TEXT,
    Change,
    Component,
    Finish,
    Intent,
    StartActivity,
)
from collector.virtual.ui.events import Event
from collector.virtual.ui.shared_files import file_at
from collector.virtual.ui.theme import SETTINGS

_PACKAGE = "com.android.intentresolver"
_FRAMEWORK = "com.android.internal.app."
_TARGET = 86.0
"""The least width of an app in dp, at the usual size of text."""
_TARGETS = "targets"
_TEXTS = "resolver"
_UNKNOWN = AppIcon("grid", "#5B6770")


@dataclass(frozen=True, slots=True)
class ResolverState:
    """The intent says what is sent, and who takes it: there is nothing to keep."""


class ResolverApp(SystemApp[ResolverState]):
    """Lets the person choose the app that gets what another one sends."""

    name = "resolver"
    package = _PACKAGE
    android = (ANDROID_14, 1 << 16)
    icon = AppIcon("share", "#3D5F93")
    theme = SETTINGS
    activities = (
        Activity(".ChooserActivity", actions=(ACTION_CHOOSER,), dialog=True, at_bottom=True),
        Activity(".ResolverActivity", dialog=True, at_bottom=True),
    )
    state_type = ResolverState

    def initial(self, seed: int, locale: str) -> ResolverState:
        return ResolverState()

    def view(self, state: ResolverState, context: Context) -> w.Screen:
        say = texts_of(_TEXTS, context.locale)
        sent = context.extras.get(EXTRA_INTENT)
        intent = sent if isinstance(sent, Intent) else Intent()
        listed = context.extras.get(_TARGETS)
        targets = tuple(map(str, listed)) if isinstance(listed, tuple) else ()
        head = w.Text(text=say("share"), size=18, padding=(24, 4, 24, 8), id="android:id/title")
        parts = (head, *_preview(intent, context, say), *_rows(intent, targets, context, say))
        return w.Screen(w.Column(parts, padding=(0, 0, 0, 4)))

    def update(self, state: ResolverState, event: Event) -> ResolverState | Change[ResolverState]:
        if event.name != "choose" or not isinstance(event.key, Intent):
            return state
        return Change(state, (StartActivity(event.key, forwards=True), Finish()))


class FrameworkResolverApp(ResolverApp):
    """The share sheet of phones before Android 14, where it is a part of the framework."""

    name = "framework_resolver"
    package = "android"
    android = (0, ANDROID_14 - 1)
    activities = (
        Activity(f"{_FRAMEWORK}ChooserActivity", actions=(ACTION_CHOOSER,), dialog=True, at_bottom=True),
        Activity(f"{_FRAMEWORK}ResolverActivity", dialog=True, at_bottom=True),
    )

    def label(self, locale: str) -> str:
        return texts_of(_TEXTS, locale)("framework")


def _preview(intent: Intent, context: Context, say: AppTexts) -> tuple[w.Widget, ...]:
    """What is sent: the text, or the picture with its name."""
    stream = intent.extras.get(EXTRA_STREAM)
    file = file_at(context.files, stream) if isinstance(stream, str) else None
    text = intent.extras.get(EXTRA_TEXT)
    parts: list[w.Widget] = []
    if file is not None and file.is_picture:
        parts.append(
            photo(
                context.storage, file, width=64, height=64, radius=10, id="content_preview_image",
                description=file.name,
            )
        )  # fmt: skip
    elif file is not None:
        parts.append(w.Icon(name="file", size=32, color="text_2", class_name="-"))
    words = text if isinstance(text, str) and text else file.name if file is not None else say("nothing_sent")
    parts.append(w.Text(text=words, size=14, max_lines=3, grow=1, id="content_preview_text"))
    box = w.Row(
        tuple(parts), gap=14, padding=(16, 12), margin=(20, 0, 20, 12), radius=16,
        background="surface_container", id="content_preview",
    )  # fmt: skip
    return (box,)


def _rows(intent: Intent, targets: tuple[str, ...], context: Context, say: AppTexts) -> tuple[w.Widget, ...]:
    apps = {app.component.package: app for app in context.installed}
    if not targets:
        none = w.Text(
            text=say("nobody"), size=15, color="text_2", align="center", padding=(24, 24), id="message"
        )
        return (none,)
    marks = tuple(_target(intent, Component.parse(target), apps) for target in targets)
    columns = max(2, min(6, int((context.width - 32) / (_TARGET * max(1.0, context.font_scale)))))
    return (w.Grid(marks, columns=columns, gap=4, line_gap=12, padding=(16, 4, 16, 8), id="resolver_list"),)


def _target(intent: Intent, component: Component, apps: dict[str, InstalledApp]) -> w.Widget:
    app = apps.get(component.package)
    label = app.label if app is not None else component.package
    chosen = Intent(
        intent.action, component, data=intent.data, extras=intent.extras, flags=intent.flags, type=intent.type
    )
    words = w.Text(text=label, size=12, align="center", max_lines=2, id="android:id/text1")
    return w.Column(
        (app_mark(app.icon if app is not None else _UNKNOWN, 52, 26, 16), words),
        gap=6, align="center", padding=(2, 6), key=str(component), id="item", on_tap=Event("choose", chosen),
    )  # fmt: skip
