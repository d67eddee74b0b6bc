"""Errors of pictures that cannot be decoded, as sentences a person can act on.

PictureError
+-- NotAPicture      in none of the formats that are read
+-- PictureTooLarge  over the limit of :mod:`collector.pictures.limits`
+-- PictureDamaged   its bytes are not what its format promises
"""

# ruff: noqa: N818 - the names say what a picture is, as those of the store do of a folder

from __future__ import annotations

from typing import Self

from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.i18n import _

_UNKNOWN = Size(0, 0)


class PictureError(UserError):
    """A picture is not decoded. ``size`` is what its header says, in pixels; 0 by 0 when it says nothing."""

    def __init__(self, what: str, why: str, to_do: str, size: Size = _UNKNOWN) -> None:
        super().__init__(what, why, to_do)
        self.size = size


class NotAPicture(PictureError):
    """The bytes have none of the formats that are read."""

    def __init__(self, why: str = "") -> None:
        super().__init__(
            _("The file is no picture that can be read"),
            why or _("Only PNG, JPEG, WebP, BMP and GIF are read"),
            _("Save the picture as PNG"),
        )


class PictureTooLarge(PictureError):
    """The picture has too many pixels."""

    def __init__(self, size: Size, most: int, side: int) -> None:
        super().__init__(
            _("The picture is too large: {size} pixels", size=size),
            _("At most {most} million pixels, and {side} a side, are decoded", most=most // 10**6, side=side),
            _("Make it smaller, or take it again"),
            size,
        )


class PictureFileTooLarge(PictureTooLarge):
    """The file has too many bytes."""

    def __init__(self, most: int) -> None:
        super(PictureTooLarge, self).__init__(
            _("The file of the picture is too large"),
            _("Files of at most {most} MB are decoded", most=most >> 20),
            _("Make it smaller, or take it again"),
        )


class PictureDamaged(PictureError):
    """The bytes are not what the format promises."""

    def __init__(self, why: str, size: Size = _UNKNOWN) -> None:
        super().__init__(_("The picture is damaged"), why, _("Take it again"), size)

    @classmethod
    def empty(cls, size: Size) -> Self:
        return cls(_("its header says that it has no pixels"), size)

    @classmethod
    def cut_short(cls, size: Size = _UNKNOWN) -> Self:
        return cls(_("it is cut short"), size)

    @classmethod
    def checksum(cls, size: Size) -> Self:
        return cls(_("a checksum in it is wrong"), size)

    @classmethod
    def unlike_header(cls, size: Size) -> Self:
        return cls(_("its content is not what its header says"), size)

    @classmethod
    def many_parts(cls, size: Size = _UNKNOWN) -> Self:
        return cls(_("it has far more parts than a picture needs"), size)

    @classmethod
    def undecodable(cls, size: Size) -> Self:
        return cls(_("its pixels cannot be decoded"), size)
