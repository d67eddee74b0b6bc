"""Pictures in the shared storage, as an app shows them: decoded no larger than they are drawn."""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from typing import Any

import skia

from collector.virtual.ui import widgets as w
from collector.virtual.ui.drawing.pictures import picture
from collector.virtual.ui.shared_files import SharedFile, SharedStorage

_PICTURE = "photo"
_FILL, _FIT = "fill", "fit"
_MOST_PIXELS = 6 << 20
"""Of a decoded picture: 24 MB."""
_MOST_SOURCES = 2000
_SMOOTH = skia.SamplingOptions(skia.FilterMode.kLinear, skia.MipmapMode.kLinear)
_QUARTERS = {
    skia.EncodedOrigin.kRightTop_EncodedOrigin: 1,
    skia.EncodedOrigin.kBottomRight_EncodedOrigin: 2,
    skia.EncodedOrigin.kLeftBottom_EncodedOrigin: 3,
}
"""Quarter turns that bring a picture upright, by its orientation."""
_GROUND, _INK = 0xFF20262B, 0xFF8A949B


class _Sources:
    """Where the content of each picture is read, by its name. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_name: OrderedDict[str, tuple[weakref.ref[SharedStorage], str]] = OrderedDict()

    def name(self, storage: SharedStorage, file: SharedFile) -> str:
        """A name for the file as it is now: another content has another one."""
        name = f"{id(storage)}-{file.id}-{file.size}-{file.modified}"
        with self._lock:
            self._by_name[name] = weakref.ref(storage), file.path
            self._by_name.move_to_end(name)
            if len(self._by_name) > _MOST_SOURCES:
                self._by_name.popitem(last=False)
        return name

    def read(self, name: str) -> bytes:
        """The content; empty when it is gone."""
        with self._lock:
            source, path = self._by_name.get(name, (None, ""))
        storage = source() if source is not None else None
        try:
            return storage.read(path) if storage is not None else b""
        except OSError:
            return b""


_sources = _Sources()


def photo(storage: SharedStorage, file: SharedFile, *, whole: bool = False, **placed: Any) -> w.Image:
    """A picture file that fills its place, or with ``whole`` is seen to its edges."""
    argument = f"{_FIT if whole else _FILL}:{_sources.name(storage, file)}"
    return w.Image(picture=_PICTURE, argument=argument, **placed)


@picture(_PICTURE)
def _draw(canvas: Any, width: float, height: float, argument: str) -> None:
    how, _colon, name = argument.partition(":")
    canvas.drawRect(skia.Rect.MakeWH(width, height), skia.Paint(Color=_GROUND))
    image = _decoded(_sources.read(name), width, height)
    if image is None:
        _draw_broken(canvas, width, height)
        return
    wide, tall = width / image.width(), height / image.height()
    scale = min(wide, tall) if how == _FIT else max(wide, tall)
    across, down = image.width() * scale, image.height() * scale
    frame = skia.Rect.MakeXYWH((width - across) / 2, (height - down) / 2, across, down)
    canvas.drawImageRect(image, frame, _SMOOTH)


def _draw_broken(canvas: Any, width: float, height: float) -> None:
    """A frame with a line through it, for what is no picture."""
    side = min(width, height) * 0.4
    left, top = (width - side) / 2, (height - side) / 2
    line = skia.Paint(
        AntiAlias=True, Color=_INK, Style=skia.Paint.kStroke_Style, StrokeWidth=max(1, side / 14)
    )
    canvas.drawRect(skia.Rect.MakeXYWH(left, top, side, side), line)
    canvas.drawLine(left, top + side, left + side, top, line)


def _decoded(data: bytes, width: float, height: float) -> Any:
    """The picture, decoded at the smallest size that its format offers above the one it is drawn at."""
    if not data:
        return None
    encoded = skia.Data.MakeWithCopy(data)  # the codec does not keep it alive
    try:
        codec = skia.Codec.MakeFromData(encoded)
        size = codec.dimensions()
        scale = max(width, height) / min(size.width(), size.height())
        scaled = codec.getScaledDimensions(min(1.0, scale))
        if scaled.width() * scaled.height() > _MOST_PIXELS:
            return None
        info = skia.ImageInfo.MakeN32Premul(scaled.width(), scaled.height())
        bitmap = skia.Bitmap()
        bitmap.allocPixels(info)
        if codec.getPixels(info, bitmap.getPixels(), bitmap.rowBytes()) != skia.Codec.kSuccess:
            return None
    except (RuntimeError, ValueError, TypeError):
        return None
    return _upright(skia.Image.MakeFromBitmap(bitmap), _QUARTERS.get(codec.getOrigin(), 0))


def _upright(image: Any, quarters: int) -> Any:
    """The image turned clockwise, as its EXIF orientation asks for."""
    if not quarters:
        return image
    size = (image.width(), image.height())
    surface = skia.Surface(*(size if quarters == 2 else size[::-1]))
    canvas = surface.getCanvas()
    canvas.translate(surface.width() / 2, surface.height() / 2)
    canvas.rotate(90 * quarters)
    canvas.drawImage(image, -size[0] / 2, -size[1] / 2)
    return surface.makeImageSnapshot()
