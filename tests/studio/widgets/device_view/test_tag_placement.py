"""Tags stand by their boxes, on the screen, and cover neither each other nor another box."""

from hypothesis import given
from hypothesis import strategies as st

from collector.model.geometry import Rect, Size
from studio.widgets.device_view.highlight_painter import place_tags

AREA = Rect(0, 0, 400, 800)
TAG = Size(90, 18)


def test_a_tag_sits_on_the_top_left_edge() -> None:
    assert place_tags([Rect(40, 100, 300, 150)], [TAG], AREA) == [Rect(40, 82, 130, 100)]


def test_with_no_room_above_it_goes_below() -> None:
    assert place_tags([Rect(40, 5, 300, 50)], [TAG], AREA) == [Rect(40, 50, 130, 68)]


def test_near_the_right_edge_it_is_right_aligned() -> None:
    assert place_tags([Rect(350, 100, 395, 150)], [TAG], AREA) == [Rect(305, 82, 395, 100)]


def test_a_box_as_large_as_the_screen_has_its_tag_inside() -> None:
    assert AREA.encloses(place_tags([AREA], [TAG], AREA)[0])


def test_the_later_tag_moves_off_the_earlier_one_and_off_other_boxes() -> None:
    boxes = [Rect(40, 100, 140, 150), Rect(40, 150, 140, 200)]
    first, second = place_tags(boxes, [TAG, TAG], AREA)
    assert first.intersection(second) is None
    assert second.intersection(boxes[0]) is None


@given(
    st.lists(
        st.builds(
            lambda x, y, w, h: Rect(x, y, x + w, y + h),
            st.integers(0, 390),
            st.integers(0, 790),
            st.integers(1, 300),
            st.integers(1, 300),
        ),
        max_size=9,
    )
)
def test_tags_never_leave_the_screen(boxes: list[Rect]) -> None:
    places = place_tags(boxes, [TAG] * len(boxes), AREA)
    assert len(places) == len(boxes)
    assert all(AREA.encloses(place) for place in places)


def test_a_tag_hides_no_words_where_another_place_is_free():
    box, above = Rect(100, 100, 200, 130), Rect(90, 70, 300, 98)
    (place,) = place_tags([box], [TAG], AREA, [above, box])
    assert place.intersection(above) is None
    assert place.intersection(box) is None
    around = Rect(0, 0, AREA.width, 95)
    (place,) = place_tags([Rect(40, 100, 300, AREA.bottom)], [TAG], AREA, [around, Rect(50, 100, 300, 125)])
    assert place.intersection(Rect(50, 100, 300, 125)) is None


def test_a_tag_rather_hides_words_around_its_box_than_those_it_marks():
    """A row of two lines lies between a search field and a row, whose words are as wide as the screen."""
    own = [Rect(20, 102, 60, 114), Rect(20, 118, 90, 130), Rect(370, 102, 398, 132)]
    around = [Rect(0, 82, 400, 98), Rect(0, 142, 400, 156)]
    (place,) = place_tags([Rect(0, 100, 400, 140)], [Size(150, 18)], AREA, [*own, *around])
    assert all(place.intersection(words) is None for words in own)
