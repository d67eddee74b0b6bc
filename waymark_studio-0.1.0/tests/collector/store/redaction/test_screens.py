"""Nothing a person wants kept secret is in the bytes that reach the disk."""

from __future__ import annotations

import numpy as np

from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Rect, Size
from collector.store.redaction.screens import MASK, blacked_out, has_private_text, mask_dump
from tests.helpers.dumps import hierarchy, node


def test_only_the_text_of_password_fields_is_masked() -> None:
    xml = hierarchy(
        node(node(text="a > b"), node(text="hunter2 > x", password="true", hint="Password"))
    ).encode()
    masked = mask_dump(xml)
    assert b"hunter2" not in masked
    assert masked == xml.replace(b"hunter2 &gt; x", MASK.encode())
    assert not has_private_text(parse_tree(masked))


def test_all_words_in_a_marked_region_are_masked_and_no_others() -> None:
    inside = node(text="4111 1111", content_desc="card", hint="number", bounds="[0,100][50,120]")
    xml = hierarchy(node(inside, node(text="Pay", bounds="[0,200][50,220]"))).encode()
    masked = mask_dump(xml, [Rect(10, 110, 20, 115)])
    assert b"Pay" in masked
    assert not any(word in masked for word in (b"4111", b"card", b"number"))
    assert masked.count(MASK.encode()) == 3


def test_noise_around_a_dump_does_not_keep_a_password() -> None:
    xml = (
        b"Killed\n" + hierarchy(node(text="hunter2", password="true")).encode() + b"UI hierchary dumped to: x"
    )
    assert b"hunter2" not in mask_dump(xml)


def test_a_dump_that_cannot_be_masked_for_sure_is_left_out() -> None:
    xml = '<hierarchy><node password="true" text="say "hunter2" now" bounds="[0,0][1,1]"/></hierarchy>'
    assert has_private_text(parse_tree(xml))
    assert mask_dump(xml.encode()) is None


def test_regions_are_black_in_the_picture_whatever_its_scale() -> None:
    white = np.full((400, 180, 3), 255, np.uint8)
    pixels = blacked_out(white, [Rect(0, 0, 100, 100), Rect(-50, 700, 9999, 9999)], Size(360, 800))
    assert pixels[:50, :50].max() == 0
    assert pixels[350:].max() == 0
    assert pixels[60:340].min() == 255
    assert white.min() == 255


def test_strict_masking_refuses_what_may_hide_text_and_masks_hints() -> None:
    field = node(text="hunter2", password="true", hint="hunter2?")
    masked = mask_dump(hierarchy(field).encode(), strict=True)
    assert b"hunter2" not in masked
    torn = hierarchy(field).encode()[:-20]
    declared = b'<!DOCTYPE hierarchy [<!ENTITY a "hunter2">]>' + hierarchy(node(text="x")).encode()
    for dump in (torn, declared, b"Killed\n" + hierarchy(field).encode(), b'{"text": "hunter2"}'):
        assert mask_dump(dump, strict=True) is None
