"""A variation as one argument of a program, however much content it has."""

from __future__ import annotations

import base64
import zlib

import pytest

from collector.model.variation.phone_variation import PhoneVariation


def test_a_long_variation_is_packed_into_one_argument():
    tasks = [{"id": f"task_{number}", "title": {"en": f"Write letter {number}"}} for number in range(5000)]
    variation = PhoneVariation("long", content={"todo": ({"tasks": tasks},)})
    assert len(variation.text) > 131_072 > len(variation.argument)
    assert PhoneVariation.parse(variation.argument) == variation
    short = PhoneVariation("short", content={"todo": ({"tasks": tasks[:3]},)})
    assert short.argument == short.text


@pytest.mark.parametrize(
    "text",
    [
        "zlib:", "zlib:?", "zlib:AAAA", "zlib:" + base64.b64encode(zlib.compress(b"[]")).decode(),
        "zlib:" + base64.b64encode(zlib.compress(b" " * (9 << 20))).decode(),
    ],
)  # fmt: skip
def test_a_damaged_or_endless_argument_is_none(text):
    with pytest.raises(ValueError, match="no variation of this phone"):
        PhoneVariation.parse(text)
