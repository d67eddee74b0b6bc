"""The formats that are read, told by a file's first bytes and never by its name.

A decoder's own list is far longer; it has formats that run programs.
"""

from __future__ import annotations

from collector.pictures import bmp, gif, jpeg, png, webp
from collector.pictures.errors import NotAPicture, PictureFileTooLarge
from collector.pictures.limits import MAX_BYTES
from collector.pictures.picture_file import PictureFile


def read_picture_file(data: bytes) -> PictureFile:
    """Check an encoded picture without decoding its pixels: format, size, and whether it is whole.

    Raises PictureError.
    """
    if len(data) > MAX_BYTES:
        raise PictureFileTooLarge(MAX_BYTES)
    if data.startswith(png.SIGNATURE):
        return png.read_png(data)
    if data.startswith(jpeg.SIGNATURE):
        return jpeg.read_jpeg(data)
    if webp.is_webp(data):
        return webp.read_webp(data)
    if data.startswith(gif.SIGNATURES):
        return gif.read_gif(data)
    if data.startswith(bmp.SIGNATURE):
        return bmp.read_bmp(data)
    raise NotAPicture
