"""Which access units of an H.264 stream are key frames, and which parameters decode them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from collector.model.geometry import Size
from collector.pictures.encoded_picture import EncodedPictures
from tests.helpers.h264 import access_units

SPS, PPS = b"\0\0\0\1\x67\x42\xc0\x0b", b"\0\0\0\1\x68\xce"
KEY, OTHER, SEI = b"\0\0\1\x65\x88", b"\0\0\1\x41\x9a", b"\0\0\1\x06\x05"


def test_a_picture_needs_parameters_and_a_key_frame_says_so() -> None:
    pictures = EncodedPictures()
    assert pictures.picture(OTHER, 1) is None
    assert pictures.picture(SPS + PPS, 2) is None, "parameters alone are no picture"
    key = pictures.picture(SEI + KEY, 3)
    assert key is not None
    assert (key.is_key, key.time_ns, key.parameters, key.data) == (True, 3, SPS + PPS, SEI + KEY)
    later = pictures.picture(OTHER, 4)
    assert later is not None
    assert not later.is_key
    turned = pictures.picture(SPS + b"\1" + PPS + KEY, 5)
    assert turned is not None
    assert turned.parameters == SPS + b"\1" + PPS


def test_the_units_of_an_encoder_are_told() -> None:
    pictures = EncodedPictures()
    found = [pictures.picture(unit, 0) for unit in access_units(9, gop=4, size=Size(64, 96))]
    assert [picture is not None and picture.is_key for picture in found] == [n % 4 == 0 for n in range(9)]
    assert len({picture.parameters for picture in found if picture is not None}) == 1


@given(st.lists(st.one_of(st.sampled_from([SPS, PPS, KEY, OTHER, SEI]), st.binary(max_size=9)), max_size=9))
def test_any_bytes_are_survived(parts: list[bytes]) -> None:
    pictures = EncodedPictures()
    for part in parts:
        picture = pictures.picture(part, 0)
        assert picture is None or picture.parameters
