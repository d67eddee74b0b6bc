"""An app of others that was installed from its APK: what its manifest says, and a screen for each activity.

The phone runs no code of it. Its label, icon, version, permissions and activities are its own, so that what
installs, finds, starts and removes apps works as with any other.
"""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.apk.apk_reader import ApkActivity, ApkManifest
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Activity, App, AppIcon, Context
from collector.virtual.ui.content import AppTexts, texts_of
from collector.virtual.ui.drawing.app_marks import app_mark, keep_icon
from collector.virtual.ui.effects import Change, Component, Intent, StartActivity
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import SETTINGS

_COLORS = ("#3D5F93", "#1E7B4A", "#8A4B9C", "#A4512F", "#2F7C8A", "#8A6A1E")
_WORDS = "stand_in"


@dataclass(frozen=True, slots=True)
class ForeignState:
    """The phone runs no code of the app: there is nothing to keep."""


class ForeignApp(App[ForeignState]):
    """The app of one APK; its metadata are instance attributes instead of class attributes."""

    theme = SETTINGS
    state_type = ForeignState
    on_home = False

    def __init__(self, manifest: ApkManifest) -> None:
        self._manifest = manifest
        self._listed = {activity.name: activity for activity in manifest.activities}
        color = _COLORS[sum(manifest.package.encode()) % len(_COLORS)]
        launchers = [activity.name for activity in manifest.activities if activity.launcher]
        # Other apps set these on the class; each installation creates an instance of its own.
        vars(self).update(
            name=manifest.package,
            package=manifest.package,
            icon=AppIcon("grid", color, keep_icon(manifest.icon)),
            activities=tuple(
                _activity(activity, launcher=activity.name in launchers[:1])
                for activity in manifest.activities
            ),
            version=manifest.version_name or "null",
            version_code=manifest.version_code,
            permissions=manifest.permissions,
            sdks=(manifest.min_sdk, manifest.target_sdk),
        )

    def label(self, locale: str) -> str:
        return _in_language(self._manifest.label, locale) or self.package

    def initial(self, seed: int, locale: str) -> ForeignState:
        del seed, locale
        return ForeignState()

    def view(self, state: ForeignState, context: Context) -> w.Screen:
        say = texts_of(_WORDS, context.locale)
        here = self._listed[context.activity]
        title = _in_language(here.label, context.locale) or self.label(context.locale)
        others = [activity for activity in self.activities if activity.name != here.name]
        return w.Screen(
            w.ScrollList(
                (
                    self._head(context),
                    w.Text(text=say("stands_in"), size=14, color="text_2", padding=(24, 8), id="note"),
                    *self._facts(say),
                    *(self._row(activity, context) for activity in others),
                ),
                id="content",
            ),
            app_bar=w.AppBar(title=title),
        )

    def _head(self, context: Context) -> w.Widget:
        names = (
            w.Text(text=self.label(context.locale), size=20, id="label"),
            w.Text(text=self.package, size=13, color="text_2", id="package"),
        )
        mark = app_mark(self.icon, 56, 26, 14)
        return w.Row((mark, w.Column(names, grow=1)), gap=16, padding=(24, 16), key="head")

    def _facts(self, say: AppTexts) -> tuple[w.Widget, ...]:
        facts = {
            "version": f"{self.version} ({self.version_code})",
            "permissions": str(len(self.permissions)),
            "activities": str(len(self.activities)),
        }
        return tuple(
            w.Row(
                (
                    w.Text(text=say(word), size=15, grow=1, id=f"{word}_title"),
                    w.Text(text=value, size=15, color="text_2", id=word),
                ),
                padding=(24, 8),
                key=word,
            )
            for word, value in facts.items()
        )

    def _row(self, activity: Activity, context: Context) -> w.Widget:
        label = _in_language(self._listed[activity.name].label, context.locale)
        short = activity.name.rpartition(".")[2]
        return w.ListItem(
            title=label or short,
            subtitle=activity.name,
            key=activity.name,
            id="activity",
            on_tap=Event("open", activity.name),
        )

    def update(self, state: ForeignState, event: Event) -> ForeignState | Change[ForeignState]:
        if event.name != "open" or str(event.key) not in self._listed:
            return state
        return Change(state, (StartActivity(Intent(component=Component(self.package, str(event.key)))),))


def _activity(activity: ApkActivity, *, launcher: bool) -> Activity:
    return Activity(
        activity.name,
        activity.actions,
        activity.schemes,
        activity.types,
        launcher,
        exported=activity.exported,
    )


def _in_language(texts: dict[str, str], locale: str) -> str:
    """The text for a language, else that for all, else any; empty when there is none."""
    return texts.get(locale.partition("-")[0]) or texts.get("") or next(iter(texts.values()), "")
