"""The camera: a view of a scene, the shutter, and the picture that another app asks for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from collector.model.seeds import DEFAULT_SEED
from collector.virtual.apps.camera.views import camera_screen, review_screen
from collector.virtual.apps.handlers import Handlers
from collector.virtual.apps.pictures.camera_scene import BACK, FRONT
from collector.virtual.apps.system_app import SystemApp
from collector.virtual.ui.app import STARTED, Activity, AppIcon, Context, InnerPage
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.effects import (
    ACTION_IMAGE_CAPTURE,
    ACTION_VIEW,
    EXTRA_OUTPUT,
    Change,
    Finish,
    Intent,
    MoveFile,
    RemoveFile,
    SetResult,
    ShowToast,
    StartActivity,
    TakePicture,
)
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import SETTINGS
from collector.virtual.ui.widgets import Screen

PACKAGE = "com.android.camera2"
MAIN, CAPTURE = "com.android.camera.CameraLauncher", "com.android.camera.CaptureActivity"
_handlers: Handlers[CameraState] = Handlers()
_on = _handlers.on


@dataclass(frozen=True, slots=True)
class CameraState:
    """What the camera looks at, and what it took."""

    locale: str = "en-US"
    seed: int = DEFAULT_SEED
    facing: str = BACK
    flash: bool = False
    number: int = 0
    """How many pictures were taken: the scene is another moment after each."""
    shot: str = ""
    """Path of the picture that was taken for another app and waits for the person's consent."""
    output: str = ""
    """The address at which the other app wants it; empty where it takes what the camera gives."""


UpdateResult = CameraState | Change[CameraState]


class CameraApp(SystemApp[CameraState]):
    """Takes pictures."""

    name = "camera"
    package = PACKAGE
    icon = AppIcon("camera", "#4A5560")
    theme = SETTINGS
    activities = (
        Activity(MAIN, launcher=True, actions=("android.media.action.STILL_IMAGE_CAMERA",)),
        Activity(CAPTURE, actions=(ACTION_IMAGE_CAPTURE,)),
    )
    pages = {"front": InnerPage(MAIN, {"facing": FRONT})}  # noqa: RUF012 - never changed
    state_type = CameraState
    version = "2.0.002"
    version_code = 20002000
    sdks = (19, 28)
    permissions = (
        "android.permission.CAMERA",
        "android.permission.RECORD_AUDIO",
        "android.permission.ACCESS_FINE_LOCATION",
    )

    def initial(self, seed: int, locale: str) -> CameraState:
        return CameraState(locale, seed)

    def view(self, state: CameraState, context: Context) -> Screen:
        say = texts_of(self.name, context.locale)
        asked = context.activity == CAPTURE
        taken = next((file for file in context.files if file.path == state.shot), None)
        if asked and taken is not None:
            return review_screen(taken, context, say)
        look = (state.facing, state.seed, state.number)
        return camera_screen(look, context, say, flash=state.flash, asked=asked)

    def update(self, state: CameraState, event: Event) -> UpdateResult:
        return _handlers.update(state, event)


@_on(STARTED)
def _started(state: CameraState, event: Event) -> UpdateResult:
    given = cast("dict[str, object]", event.value or {})
    return replace(state, shot="", output=str(given.get(EXTRA_OUTPUT) or "") if event.key == CAPTURE else "")


@_on("flip")
def _flip(state: CameraState, event: Event) -> UpdateResult:
    return replace(state, facing=FRONT if state.facing == BACK else BACK)


@_on("flash")
def _flash(state: CameraState, event: Event) -> UpdateResult:
    return replace(state, flash=not state.flash)


@_on("shoot")
def _shoot(state: CameraState, event: Event) -> UpdateResult:
    """Take the picture of a scene: ``key`` is the scene, and whether another app asked."""
    scene, asked = cast("tuple[str, bool]", event.key)
    taken = Event("taken", asked)
    return Change(replace(state, number=state.number + 1), (TakePicture(scene, taken),))


@_on("taken")
def _taken(state: CameraState, event: Event) -> UpdateResult:
    path = str(event.value)
    if not path:
        return Change(state, (ShowToast(texts_of("camera", state.locale)("no_room")),))
    return replace(state, shot=path if event.key else "")


@_on("retake")
def _retake(state: CameraState, event: Event) -> UpdateResult:
    return Change(replace(state, shot=""), (RemoveFile(state.shot),))


@_on("cancel")
def _cancel(state: CameraState, event: Event) -> UpdateResult:
    drop = (RemoveFile(state.shot),) if state.shot else ()
    return Change(replace(state, shot=""), (*drop, Finish()))


@_on("done")
def _done(state: CameraState, event: Event) -> UpdateResult:
    """Give the picture to the app that asked, or write it where that wants it: ``key`` is its address."""
    if state.output:
        return Change(state, (MoveFile(state.shot, state.output, Event("moved")),))
    return Change(replace(state, shot=""), (SetResult(str(event.key)), Finish()))


@_on("moved")
def _moved(state: CameraState, event: Event) -> UpdateResult:
    """Go back once the picture is where it is wanted; else stay, as the camera of AOSP does."""
    if not event.value:
        return state
    return Change(replace(state, shot="", output=""), (SetResult(), Finish()))


@_on("look")
def _look(state: CameraState, event: Event) -> UpdateResult:
    """Open the last picture."""
    uri, kind = cast("tuple[str, str]", event.key)
    return Change(state, (StartActivity(Intent(ACTION_VIEW, data=uri, type=kind)),))
