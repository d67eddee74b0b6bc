"""Decode pictures: the one place that does, for every thread."""

from __future__ import annotations

import io
import math
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import IO

import numpy as np
from numpy.typing import NDArray

# Pillow knows the formats whose plugins were imported; Image.init() would import them all.
from PIL import (
    BmpImagePlugin,
    GifImagePlugin,
    Image,
    ImageFile,
    JpegImagePlugin,
    PngImagePlugin,
    WebPImagePlugin,
)

from collector.model.geometry import Size
from collector.pictures.errors import PictureDamaged
from collector.pictures.formats import read_picture_file
from collector.pictures.limits import LARGE
from collector.pictures.picture_file import PictureFile

Pixels = NDArray[np.uint8]
Reduction = Callable[[Size], int]
"""By how much a picture of a size is reduced: 3 makes one pixel of three by three."""
_PLUGINS: dict[str, Callable[[IO[bytes]], ImageFile.ImageFile]] = {
    "BMP": BmpImagePlugin.BmpImageFile,
    "GIF": GifImagePlugin.GifImageFile,
    "JPEG": JpegImagePlugin.JpegImageFile,
    "PNG": PngImagePlugin.PngImageFile,
    "WEBP": WebPImagePlugin.WebPImageFile,
}
_KEEP_THEIR_DECODER = ("GIF", "WEBP")
"""Formats of which a picture holds its decoder, and with it several times its own memory."""
_PNG, _PNG_TEXTS = b"\x89PNG", (b"tEXt", b"zTXt", b"iTXt", b"eXIf")
"""How a PNG begins, and the names of its chunks of texts."""
_EXIF_PARTS = (0x8769, 0x8825)
"""Parts of EXIF with tables of their own: of the camera, and of the place."""
_large_one = threading.Lock()
"""Held while a large picture is decoded: those of several threads would take gigabytes."""


def exactly(factor: int) -> Reduction:
    """Reduce by ``factor``, 1 for not at all."""
    return lambda _size: factor


def covering(box: Size) -> Reduction:
    """Reduce as far as the picture still covers ``box``."""
    return lambda size: min(size.width // max(1, box.width), size.height // max(1, box.height))


def at_most(pixels: int) -> Reduction:
    """Reduce until the picture has at most so many pixels."""
    return lambda size: math.ceil(math.sqrt(size.area / pixels))


_WHOLE = exactly(1)


def decode(data: bytes, reduction: Reduction = _WHOLE) -> Image.Image:
    """The first frame of an encoded picture, as grey (L), RGB or RGBA of 8 bits. Raises PictureError.

    Any thread. A reduced picture takes only its own memory once this returns.
    """
    file = read_picture_file(data)
    with _turn(file.size):
        try:
            return _decoded(file, max(1, reduction(file.size)))
        except PictureDamaged:
            raise
        except Exception:  # noqa: BLE001 - Pillow raises a dozen kinds of error on damaged files
            raise PictureDamaged.undecodable(file.size) from None


def written_beside(data: bytes) -> list[tuple[str, object]]:
    """What is written beside the pixels of an encoded picture: comments and EXIF, texts and bytes by key.

    Raises PictureError.
    """
    file = read_picture_file(data)
    if data.startswith(_PNG) and not any(kind in data for kind in _PNG_TEXTS):
        return []
    try:
        with _PLUGINS[file.format](io.BytesIO(data)) as image:
            written: list[tuple[str, object]] = [(str(key), value) for key, value in image.info.items()]
            if isinstance(image, PngImagePlugin.PngImageFile):
                written += image.text.items()  # also behind the pixels
            exif = image.getexif()
            for values in (exif, *map(exif.get_ifd, _EXIF_PARTS)):
                written += ((str(key), value) for key, value in values.items())
    except Exception:  # noqa: BLE001 - Pillow raises a dozen kinds of error on damaged files
        raise PictureDamaged.undecodable(file.size) from None
    return written


def rgb_pixels(data: bytes, reduction: Reduction = _WHOLE) -> Pixels:
    """The pixels of an encoded picture, uint8, height x width x 3. Raises PictureError."""
    image = decode(data, reduction)
    return np.asarray(image if image.mode == "RGB" else image.convert("RGB"))


def grey_pixels(data: bytes, reduction: Reduction = _WHOLE) -> Pixels:
    """The brightness of an encoded picture, uint8, height x width. Raises PictureError."""
    image = decode(data, reduction)
    return np.asarray(image if image.mode == "L" else image.convert("L"))


def _turn(size: Size) -> AbstractContextManager[object]:
    return _large_one if size.area > LARGE else nullcontext()


def _decoded(file: PictureFile, factor: int) -> Image.Image:
    with _PLUGINS[file.format](io.BytesIO(file.data)) as image:
        if image.size != (file.size.width, file.size.height):
            raise PictureDamaged.unlike_header(file.size)
        reduced = (-(-file.size.width // factor), -(-file.size.height // factor))
        if factor > 1:
            image.draft(None, reduced)  # a JPEG is decoded at a half, a quarter or an eighth
        image.load()
        plain = _plain(image)
        if plain.size != reduced:
            is_whole = image.size == (file.size.width, file.size.height)
            return plain.reduce(factor) if is_whole else plain.resize(reduced, Image.Resampling.BOX)
        return plain.copy() if plain is image and file.format in _KEEP_THEIR_DECODER else plain


def _plain(image: Image.Image) -> Image.Image:
    """The picture as L, RGB or RGBA of 8 bits."""
    if image.mode in ("L", "RGB", "RGBA"):
        return image
    if image.mode.startswith("I"):  # 16 bits of grey
        return Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    if image.mode == "1":
        return image.convert("L")
    has_alpha = "A" in image.mode or "transparency" in image.info
    return image.convert("RGBA" if has_alpha else "RGB")
