"""Screens of the camera."""

from __future__ import annotations

from collector.virtual.apps.pictures.camera_scene import NAME, scene
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.drawing.photos import photo
from collector.virtual.ui.events import Event
from collector.virtual.ui.shared_files import SharedFile

_BLACK, _WHITE = "#0B0D0F", "#FFFFFF"
_STATUS, _KEYS = 28.0, 180.0
"""dp of the status bar, and of the keys above and below what the camera sees."""
_FOLDER = "/DCIM/Camera"


def camera_screen(
    look: tuple[str, int, int], context: Context, say: AppTexts, *, flash: bool, asked: bool
) -> w.Screen:
    """What the camera sees, with the shutter; ``look`` is the camera, the seed and the moment."""
    view = scene(*look, context.now.hour)
    wide, tall = _viewfinder(context)
    preview = w.Image(
        picture=NAME, argument=view, width=wide, height=tall, id="preview_content", description=say("preview")
    )
    flash_key = w.IconButton(
        icon="bolt", color=_WHITE, filled=flash, id="flash_toggle_button", selected=flash,
        description=say("flash_on" if flash else "flash_off"), on_tap=Event("flash"),
    )  # fmt: skip
    last = None if asked else _last(context)
    left: w.Widget = _key("close", "cancel", Event("cancel"), say) if asked else w.Spacer(width=48, height=48)
    if last is not None:
        left = photo(
            context.storage, last, width=48, height=48, radius=24, id="rounded_thumbnail_view",
            description=say("last"), class_name="android.widget.ImageView",
            on_tap=Event("look", (last.media_uri, last.type)),
        )  # fmt: skip
    flip = w.IconButton(
        icon="refresh", color=_WHITE, id="camera_toggle_button", description=say("flip"), on_tap=Event("flip")
    )
    shutter = w.Row(
        (w.Spacer(width=56, height=56, radius=28, background=_WHITE),),
        width=72, height=72, radius=36, border=_WHITE, border_width=3, arrange="center",
        id="shutter_button", class_name="android.widget.ImageView", description=say("shutter"),
        on_tap=Event("shoot", (view, asked)),
    )  # fmt: skip
    return _framed(
        context, preview, (flash_key,), (left, shutter, flip), on_back=Event("cancel") if asked else None
    )


def review_screen(taken: SharedFile, context: Context, say: AppTexts) -> w.Screen:
    """The picture that was taken for another app: it is given to it, dropped, or taken again."""
    wide, tall = _viewfinder(context)
    image = photo(
        context.storage, taken, whole=True, width=wide, height=tall, id="preview_content",
        description=say("last"),
    )  # fmt: skip
    keys = (
        _key("close", "cancel", Event("cancel"), say),
        _key("undo", "retake", Event("retake"), say),
        _key("check", "done", Event("done", taken.media_uri), say),
    )
    return _framed(context, image, (), keys, on_back=Event("cancel"))


def _key(icon: str, word: str, event: Event, say: AppTexts) -> w.Widget:
    return w.IconButton(icon=icon, color=_WHITE, id=f"{word}_button", description=say(word), on_tap=event)


def _framed(
    context: Context,
    middle: w.Widget,
    above: tuple[w.Widget, ...],
    below: tuple[w.Widget, ...],
    on_back: Event | None,
) -> w.Screen:
    """The picture with its keys below it, or beside it on a phone that lies on its side."""
    if context.landscape:
        sides = w.Column((*reversed(below),), width=104, align="center", arrange="between", padding=(0, 20))
        seen = w.Column((middle,), grow=1, align="center", arrange="center", class_name="-")
        first = w.Column(above, width=56, align="center", padding=(0, 12), class_name="-")
        content: w.Widget = w.Row((first, seen, sides), align="stretch", grow=1, background=_BLACK)
    else:
        top = w.Row(above, height=48, arrange="end", padding=(8, 0))
        seen = w.Column((middle,), align="center", class_name="-")
        keys = w.Row(below, grow=1, arrange="between", padding=(36, 0))
        content = w.Column((top, seen, keys, w.Spacer(height=24)), grow=1, background=_BLACK)
    return w.Screen(content, background=_BLACK, status_bar="light", on_back=on_back)


def _viewfinder(context: Context) -> tuple[float, float]:
    """Width and height in dp of what the camera sees: three by four, with room for the keys."""
    if context.landscape:
        tall = min(context.height - _STATUS - 8, (context.width - 180) * 3 / 4)
        return tall * 4 / 3, tall
    tall = min(context.width * 4 / 3, context.height - _STATUS - _KEYS)
    return tall * 3 / 4, tall


def _last(context: Context) -> SharedFile | None:
    """The picture that the camera took last."""
    taken = [file for file in context.files if file.is_picture and file.folder.endswith(_FOLDER)]
    return max(taken, key=lambda file: (file.modified, file.id), default=None)
