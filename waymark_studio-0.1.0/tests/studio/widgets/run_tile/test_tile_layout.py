"""Where tiles and their parts lie, for one to sixteen phones."""

from __future__ import annotations

import itertools

import pytest

from collector.model.geometry import Size
from studio.widgets.run_tile.tile_layout import LEAST_WIDTH, lay_out, parts_of

WIDE, NARROW = Size(1260, 438), Size(900, 420)


def test_four_phones_lie_as_in_the_mockup() -> None:
    layout = lay_out(4, WIDE)
    assert (layout.columns, layout.has_text, layout.height) == (4, True, 438)
    assert layout.tile == Size(305, 422)
    parts = parts_of(layout.tile, Size(1080, 2400), has_text=True)
    assert parts.screen.width == 150
    assert parts.text is not None
    assert parts.text.width >= 130


@pytest.mark.parametrize("area", [WIDE, NARROW, Size(400, 300), Size(1900, 1400)])
@pytest.mark.parametrize("screen", [Size(1080, 2400), Size(2400, 1080), Size(1600, 1600)])
def test_tiles_never_overlap_and_stay_inside(area: Size, screen: Size) -> None:
    for count in range(1, 17):
        layout = lay_out(count, area, screen)
        places = [layout.place(number) for number in range(count)]
        assert all(place.left >= 0 and place.bottom <= layout.height for place in places)
        if area.width >= 2 * LEAST_WIDTH:
            assert all(place.right <= area.width for place in places)
        for first, second in itertools.combinations(places, 2):
            assert first.intersection(second) is None
        parts = parts_of(layout.tile, screen, has_text=layout.has_text)
        assert parts.body.intersection(parts.screen) == parts.screen
        assert parts.footer.bottom == layout.tile.height


def test_many_phones_are_small_and_scroll() -> None:
    assert lay_out(16, WIDE).height > WIDE.height
    assert not lay_out(16, WIDE).has_text
    assert lay_out(16, Size(1900, 1400)).height <= 1400


def test_one_phone_is_as_large_as_its_room() -> None:
    layout = lay_out(1, Size(1260, 800))
    assert layout.tile.height == 784
    assert layout.tile.width < 1260  # no wider than its content can use


def test_a_screen_without_a_size_is_an_upright_phone() -> None:
    parts = parts_of(Size(305, 422), Size(0, 0), has_text=True)
    assert parts.screen.height > parts.screen.width
