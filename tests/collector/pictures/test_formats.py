"""A picture is refused before a pixel of it is decoded, and what no decoder needs to see is left out."""

from __future__ import annotations

import struct

import pytest

from collector.model.geometry import Size
from collector.pictures.errors import NotAPicture, PictureDamaged, PictureError, PictureTooLarge
from collector.pictures.formats import read_picture_file
from collector.pictures.jpeg import MAX_SCANS
from collector.pictures.limits import MAX_BYTES, MAX_PARTS, MAX_PIXELS, MAX_SIDE
from collector.pictures.picture_bytes import read_picture_bytes
from tests.helpers.hostile_pictures import (
    HUGE,
    bomb_png,
    chunk,
    cut_png,
    encoded,
    garbage_png,
    huge_png,
    png_header,
    png_of,
)
from tests.helpers.steps import png

IDAT = png()[33:-12]
"""The chunk of pixels of a picture of 4 by 8."""


def with_size(data: bytes, at: int, size: Size, code: str) -> bytes:
    """A picture whose header tells another size."""
    packed = struct.pack(code, size.width, size.height)
    return data[:at] + packed + data[at + len(packed) :]


def jpeg_with_size(size: Size, **options: object) -> bytes:
    data = encoded("JPEG", **options)
    at = max(data.find(marker) for marker in (b"\xff\xc0", b"\xff\xc2"))
    return with_size(data, at + 5, Size(size.height, size.width), ">HH")


def jpeg_with_two_headers() -> bytes:
    data = encoded("JPEG")
    header = data[data.index(b"\xff\xc0") :][:19]
    return data.replace(b"\xff\xda", header + b"\xff\xda", 1)


def webp_with_canvas(size: Size) -> bytes:
    data = encoded("WEBP", mode="RGBA", lossless=False)
    at = data.index(b"VP8X") + 12
    packed = (size.width - 1).to_bytes(3, "little") + (size.height - 1).to_bytes(3, "little")
    return data[:at] + packed + data[at + 6 :]


@pytest.mark.parametrize("name", ["PNG", "JPEG", "WEBP", "BMP", "GIF"])
def test_a_whole_picture_is_recognised_by_its_bytes(name: str) -> None:
    file = read_picture_file(encoded(name))
    assert (file.format, file.size) == (name, Size(40, 80))


@pytest.mark.fault("F25")
def test_a_huge_png_is_refused_in_plain_words() -> None:
    with pytest.raises(PictureTooLarge) as refused:
        read_picture_file(huge_png())
    assert refused.value.size == Size(50_000, 50_000)
    assert str(refused.value) == (
        f"The picture is too large: {HUGE} pixels. At most 36 million pixels, and 16384 a side, are "
        "decoded. Make it smaller, or take it again"
    )


@pytest.mark.parametrize(
    "data",
    [
        png_of(png_header(6001, 6000), IDAT),
        png_of(png_header(1, MAX_SIDE + 1), IDAT),
        png_of(png_header(2**31, 2**31), IDAT),
        jpeg_with_size(Size(65_000, 65_000)),
        jpeg_with_size(Size(65_000, 65_000), progressive=True),
        webp_with_canvas(Size(1 << 24, 1 << 24)),
        encoded("WEBP", lossless=True)[:21] + b"\xff\xff\xff\x0f" + encoded("WEBP", lossless=True)[25:],
        with_size(encoded("BMP"), 18, Size(60_000, -60_000), "<ii"),
        with_size(encoded("GIF", mode="L"), 6, Size(65_535, 65_535), "<HH"),
    ],
)
def test_a_header_over_the_limit_is_refused_in_every_format(data: bytes) -> None:
    with pytest.raises(PictureTooLarge):
        read_picture_file(data)


def test_the_limit_itself_is_read() -> None:
    assert read_picture_file(png_of(png_header(6000, MAX_PIXELS // 6000), IDAT)).size == Size(6000, 6000)
    assert read_picture_file(png_of(png_header(MAX_SIDE, 1), IDAT)).size.width == MAX_SIDE


@pytest.mark.parametrize("size", [Size(0, 8), Size(4, 0)])
def test_a_picture_without_pixels_is_damaged(size: Size) -> None:
    empty = [png_of(png_header(size.width, size.height), IDAT), with_size(encoded("BMP"), 18, size, "<ii")]
    for data in (*empty, with_size(encoded("GIF", mode="L"), 6, size, "<HH"), jpeg_with_size(size)):
        with pytest.raises(PictureDamaged):
            read_picture_file(data)


@pytest.mark.parametrize("name", ["PNG", "JPEG", "WEBP", "BMP", "GIF"])
def test_a_file_that_was_cut_is_damaged_wherever_it_was(name: str) -> None:
    whole = encoded(name)
    for end in (16, 20, 30, len(whole) // 2, len(whole) - 3):
        with pytest.raises(PictureError) as refused:
            read_picture_file(whole[:end])
        assert isinstance(refused.value, PictureDamaged), (name, end)


def test_a_cut_png_still_tells_its_size() -> None:
    with pytest.raises(PictureDamaged) as damaged:
        read_picture_file(cut_png(40, 80))
    assert damaged.value.size == Size(40, 80)
    assert "cut short" in str(damaged.value)


def test_pixels_that_are_not_compressed_are_noticed_without_decoding() -> None:
    with pytest.raises(PictureDamaged, match="cannot be decoded"):
        read_picture_file(garbage_png())


@pytest.mark.parametrize("data", [b"", b"%!PS-Adobe-3.0 EPSF-3.0", b"II*\0", b"P6 1 1 255 abc", b"<svg/>"])
def test_no_other_format_is_opened(data: bytes) -> None:
    with pytest.raises(NotAPicture):
        read_picture_file(data)


def test_a_run_length_bmp_is_none_that_is_read() -> None:
    packed = bytearray(encoded("BMP", mode="L"))
    packed[30:34] = (1).to_bytes(4, "little")
    with pytest.raises(NotAPicture, match="compressed BMP"):
        read_picture_file(bytes(packed))


@pytest.mark.parametrize(
    "data",
    [
        png_of(png_header(4, 8), png_header(50_000, 50_000), IDAT),
        jpeg_with_two_headers(),
        with_size(encoded("GIF", mode="L"), 6, Size(4, 8), "<HH"),
    ],
)
def test_a_second_header_that_says_otherwise_is_damage(data: bytes) -> None:
    with pytest.raises(PictureDamaged):
        read_picture_file(data)


def test_texts_profiles_and_frames_are_left_out() -> None:
    texts = chunk(b"tEXt", b"Comment\0" + b"x" * 5_000_000) + chunk(b"iCCP", b"a\0\0" + bytes(5_000_000))
    frames = chunk(b"acTL", bytes(8)) + chunk(b"fcTL", bytes(26))
    assert len(read_picture_file(png_of(png_header(4, 8), texts, frames, IDAT)).data) < 200
    profile = encoded("JPEG", icc_profile=bytes(200_000), exif=b"Exif\0\0" + bytes(60_000))
    assert len(read_picture_file(profile).data) < 2000 < len(profile)
    described = encoded("WEBP", icc_profile=bytes(200_000), exif=bytes(60_000))
    assert len(read_picture_file(described).data) < 2000 < len(described)


def test_the_limit_of_parts_bounds_the_time() -> None:
    many = chunk(b"tEXt", b"") * (MAX_PARTS + 1)
    comments = b"\xff\xd8" + b"\xff\xfe\0\2" * (MAX_PARTS + 1) + encoded("JPEG")[2:]
    chunks = b"JUNK\0\0\0\0" * (MAX_PARTS + 1)
    webp = encoded("WEBP", mode="RGBA", lossless=False)
    webp = webp[:4] + (len(webp) + len(chunks) - 8).to_bytes(4, "little") + webp[8:30] + chunks + webp[30:]
    gif = encoded("GIF", mode="L")
    blocks = gif[:-1].replace(b"\x2c", b"\x21\xfe" + b"\1x" * 400_000 + b"\0\x2c", 1)
    scans = encoded("JPEG").replace(b"\xff\xda", b"\xff\xda" * (MAX_SCANS + 1), 1)
    for data in (png_of(png_header(4, 8), many, IDAT), comments, webp, blocks, scans):
        with pytest.raises(PictureDamaged):
            read_picture_file(data)


def test_a_small_picture_of_much_data_is_not_unpacked() -> None:
    assert read_picture_file(bomb_png()).size == Size(4, 8)


class Sized:
    """A file that says how long it is and must not be read."""

    def stat(self) -> Sized:
        return self

    st_size = MAX_BYTES + 1

    def read_bytes(self) -> bytes:
        raise AssertionError


def test_a_file_over_the_limit_of_bytes_is_not_read() -> None:
    with pytest.raises(PictureTooLarge, match="at most 64 MB"):
        read_picture_bytes(Sized())
    with pytest.raises(PictureTooLarge):
        read_picture_file(png() + bytes(MAX_BYTES))
