"""The gallery: all pictures by day, one of them, and the one that another app asks for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from collector.virtual.apps.gallery.views import grid_screen, photo_screen
from collector.virtual.apps.handlers import Handlers
from collector.virtual.apps.system_app import SystemApp
from collector.virtual.ui.app import STARTED, Activity, AppIcon, Context
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.effects import (
    ACTION_GET_CONTENT,
    ACTION_PICK,
    ACTION_SEND,
    ACTION_VIEW,
    EXTRA_STREAM,
    Change,
    Component,
    Finish,
    Intent,
    RemoveFile,
    SetResult,
    ShowSnackbar,
    StartActivity,
    share,
)
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import TODO
from collector.virtual.ui.widgets import Screen

PACKAGE = "com.android.gallery3d"
_MAIN, _PICK, _PHOTO = (
    f"{PACKAGE}.app.{name}" for name in ("GalleryActivity", "DialogPicker", "PhotoActivity")
)
_PICTURES = ("image/*", "vnd.android.cursor.dir/image")
_handlers: Handlers[GalleryState] = Handlers()
_on = _handlers.on


@dataclass(frozen=True, slots=True)
class GalleryState:
    """The pictures are files: the gallery keeps none."""

    locale: str = "en-US"
    sheet: str = ""
    """delete, details or none."""


UpdateResult = GalleryState | Change[GalleryState]


class GalleryApp(SystemApp[GalleryState]):
    """Shows the pictures of the phone."""

    name = "gallery"
    package = PACKAGE
    icon = AppIcon("image", "#8A4B9C")
    theme = TODO
    activities = (
        Activity(_MAIN, launcher=True),
        Activity(_PICK, actions=(ACTION_PICK, ACTION_GET_CONTENT), types=_PICTURES),
        Activity(_PHOTO, actions=(ACTION_VIEW,), types=("image/*",)),
    )
    state_type = GalleryState
    version = "1.1.40030"
    version_code = 40030
    permissions = ("android.permission.READ_MEDIA_IMAGES", "android.permission.READ_EXTERNAL_STORAGE")

    def initial(self, seed: int, locale: str) -> GalleryState:
        return GalleryState(locale)

    def view(self, state: GalleryState, context: Context) -> Screen:
        say = texts_of(self.name, context.locale)
        if context.activity == _PHOTO:
            return photo_screen(state.sheet, context, say)
        return grid_screen(context, say, picking=context.activity == _PICK)

    def update(self, state: GalleryState, event: Event) -> UpdateResult:
        return _handlers.update(state, event)


@_on(STARTED)
def _started(state: GalleryState, event: Event) -> UpdateResult:
    return replace(state, sheet="")


@_on("open")
def _open(state: GalleryState, event: Event) -> UpdateResult:
    uri, kind = cast("tuple[str, str]", event.key)
    page = Intent(ACTION_VIEW, Component(PACKAGE, _PHOTO), data=uri, type=kind)
    return Change(state, (StartActivity(page),))


@_on("pick")
def _pick(state: GalleryState, event: Event) -> UpdateResult:
    return Change(state, (SetResult(str(event.key)), Finish()))


@_on("sheet")
def _sheet(state: GalleryState, event: Event) -> UpdateResult:
    return replace(state, sheet=str(event.key or ""))


@_on("share")
def _share(state: GalleryState, event: Event) -> UpdateResult:
    uri, kind = cast("tuple[str, str]", event.key)
    return Change(state, (share(Intent(ACTION_SEND, type=kind, extras={EXTRA_STREAM: uri})),))


@_on("delete")
def _delete(state: GalleryState, event: Event) -> UpdateResult:
    told = ShowSnackbar(texts_of("gallery", state.locale)("deleted"))
    return Change(replace(state, sheet=""), (RemoveFile(str(event.key)), Finish(), told))
