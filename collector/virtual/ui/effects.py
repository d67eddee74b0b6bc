"""Effects an app asks the system for: values its ``update`` returns beside its new state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from collector.virtual.ui.events import Event

S = TypeVar("S")

ACTION_MAIN = "android.intent.action.MAIN"
ACTION_VIEW = "android.intent.action.VIEW"
ACTION_SEND = "android.intent.action.SEND"
ACTION_SENDTO = "android.intent.action.SENDTO"
ACTION_PICK = "android.intent.action.PICK"
ACTION_GET_CONTENT = "android.intent.action.GET_CONTENT"
ACTION_CHOOSER = "android.intent.action.CHOOSER"
ACTION_IMAGE_CAPTURE = "android.media.action.IMAGE_CAPTURE"
EXTRA_TEXT = "android.intent.extra.TEXT"
EXTRA_STREAM = "android.intent.extra.STREAM"
EXTRA_INTENT = "android.intent.extra.INTENT"
EXTRA_OUTPUT = "output"
"""Of ``IMAGE_CAPTURE``: the address at which the picture is wanted."""
"""The intent that a chooser starts in the app that the person chooses."""
CATEGORY_LAUNCHER = "android.intent.category.LAUNCHER"
CATEGORY_HOME = "android.intent.category.HOME"


@dataclass(frozen=True, slots=True, order=True)
class Component:
    """An activity by package and full class name."""

    package: str
    activity: str

    def __str__(self) -> str:
        return f"{self.package}/{self.activity}"

    @property
    def short(self) -> str:
        """``com.example/.Main`` when the class lives in the package."""
        prefix = self.package + "."
        inside = self.activity.startswith(prefix)
        return f"{self.package}/{self.activity[len(self.package) :] if inside else self.activity}"

    @classmethod
    def parse(cls, text: str) -> Component:
        """Read ``pkg/.Act`` or ``pkg/full.Act``; raise ValueError on anything else."""
        package, slash, activity = text.partition("/")
        if not (package and slash and activity):
            raise ValueError(f"not a component: {text!r} (expected package/activity)")
        return cls(package, package + activity if activity.startswith(".") else activity)


@dataclass(frozen=True, slots=True)
class Intent:
    """An intent: an explicit component, or an action that some activity accepts."""

    action: str = ""
    component: Component | None = None
    package: str = ""
    data: str = ""
    categories: tuple[str, ...] = ()
    extras: dict[str, object] = field(default_factory=dict)
    flags: int = 0
    type: str = ""
    """MIME type of its data, or of what it sends."""


def share(intent: Intent) -> StartActivity:
    """Let the person choose the app that gets what is sent."""
    return StartActivity(Intent(ACTION_CHOOSER, extras={EXTRA_INTENT: intent}))


@dataclass(frozen=True, slots=True)
class ActivityResult:
    """What an activity that was asked gives back; a cancelled one has no data."""

    ok: bool = False
    data: str = ""
    """URI of what was picked."""
    extras: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StartActivity:
    """Open another activity.

    ``on_result`` is sent with its :class:`ActivityResult` once it is finished. With ``forwards`` the activity
    answers in place of the app's own one, to whoever asked that. ``on_missing`` is sent when no app takes the
    intent.
    """

    intent: Intent
    on_result: Event | None = None
    forwards: bool = False
    on_missing: Event | None = None


@dataclass(frozen=True, slots=True)
class SetResult:
    """What the app's top activity gives back when it is finished; without it that is a cancelled result."""

    data: str = ""
    extras: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finish:
    """Close the top activity of this app: of that name in the manifest, when one is given, and started with
    these extras."""

    activity: str = ""
    extras: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class GoHome:
    """Show the home screen."""


@dataclass(frozen=True, slots=True)
class ShowToast:
    """Show a toast in its own window: visible, but not in the tree."""

    text: str
    seconds: float = 2.5


@dataclass(frozen=True, slots=True)
class ShowOverlay:
    """Show a screen of the app over all apps, none of which is left; it replaces the one of the same ``key``.

    ``activity`` is the name that its view gets.
    """

    key: str
    activity: str
    extras: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HideOverlay:
    """Remove the overlay of this key."""

    key: str


@dataclass(frozen=True, slots=True)
class SendBroadcast:
    """Send a broadcast to a receiver of the app."""

    intent: Intent


@dataclass(frozen=True, slots=True)
class Reply:
    """What a receiver or provider of the app answers to the one who called it: a code, and a text."""

    text: str
    code: int = 0


@dataclass(frozen=True, slots=True)
class WriteFile:
    """Create or replace a file of the shared storage."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class ShowSnackbar:
    """Show a message with an optional action for 4 s; it is part of the screen and of its tree."""

    text: str
    action: str = ""
    on_action: Event | None = None


@dataclass(frozen=True, slots=True)
class WriteLog:
    """Write a line to the phone's log; ``priority`` is one of V D I W E F."""

    tag: str
    text: str
    priority: str = "I"


@dataclass(frozen=True, slots=True)
class PutSetting:
    """Write a system setting and apply its consequences (dark mode, rotation, ...)."""

    namespace: str
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Later:
    """Send ``event`` to this app after ``seconds`` of the phone's clock."""

    seconds: float
    event: Event


@dataclass(frozen=True, slots=True)
class AtTime:
    """Send ``event`` to this app when the phone's clock next shows this time of day."""

    hour: int
    minute: int
    event: Event


@dataclass(frozen=True, slots=True)
class PlaceCall:
    """Call a number; the phone shows the call."""

    number: str


@dataclass(frozen=True, slots=True)
class TakePicture:
    """Take a picture of what the camera sees, and write it as a JPEG with EXIF into the shared storage.

    ``on_taken`` is sent with its path, or with an empty one when the storage is full.
    """

    scene: str
    on_taken: Event


@dataclass(frozen=True, slots=True)
class RemoveFile:
    """Delete a file, or a folder with all in it, from the shared storage."""

    path: str


@dataclass(frozen=True, slots=True)
class MoveFile:
    """Write a file of the shared storage to the address that another app gave, and delete it.

    ``on_moved`` is sent with whether it was written.
    """

    path: str
    uri: str
    on_moved: Event


@dataclass(frozen=True, slots=True)
class MakeFolder:
    """Create a folder in the shared storage."""

    path: str


@dataclass(frozen=True, slots=True)
class CopyText:
    """Put text on the clipboard."""

    text: str


@dataclass(frozen=True, slots=True)
class Focus:
    """Focus the field with this id; an empty id removes focus and keyboard."""

    id: str = ""


@dataclass(frozen=True, slots=True)
class ScrollTo:
    """Scroll the list with this id to its start or end, or to a share of its content."""

    id: str
    end: bool = True
    share: float | None = None
    of: str = ""
    """The id of a widget in the list of whose height it is a share, where the list has room below it."""


@dataclass(frozen=True, slots=True)
class Notify:
    """Post a notification; it replaces an earlier one of the app with the same ``tag``."""

    title: str
    text: str
    intent: Intent | None = None
    tag: str = ""
    urgent: bool = False
    """Shown for a few seconds over the current screen (heads-up)."""
    on_tap: Event | None = None
    """Sent to the app by a tap, in place of starting the app."""
    on_swipe: Event | None = None
    """Sent to the app when it is swiped away."""
    actions: tuple[tuple[str, Event], ...] = ()
    """Buttons: a label, and the event that the app gets."""


@dataclass(frozen=True, slots=True)
class CancelNotice:
    """Remove the app's notification with this tag."""

    tag: str


@dataclass(frozen=True, slots=True)
class RequestPermission:
    """Request a runtime permission with Android's dialog; nothing is asked when it is already granted.

    ``answer`` is sent to the app with True or False, at once when nothing is asked.
    """

    permission: str
    answer: Event | None = None


MediaEffect = TakePicture | RemoveFile | MoveFile | MakeFolder | WriteFile
Effect = (
    StartActivity
    | Finish
    | GoHome
    | ShowToast
    | ShowSnackbar
    | WriteLog
    | PutSetting
    | Later
    | AtTime
    | SetResult
    | PlaceCall
    | MediaEffect
    | CopyText
    | Focus
    | ScrollTo
    | Notify
    | CancelNotice
    | ShowOverlay
    | HideOverlay
    | Reply
    | SendBroadcast
    | RequestPermission
)


@dataclass(frozen=True, slots=True)
class Change(Generic[S]):
    """A new state and effects. ``update`` may return a bare state when there are no effects."""

    state: S
    effects: tuple[Effect, ...] = ()
