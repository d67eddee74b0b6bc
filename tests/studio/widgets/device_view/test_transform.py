"""A place on the phone, in a video frame and in the window are one place, at every zoom and ratio."""

from hypothesis import assume, given
from hypothesis import strategies as st

from collector.model.geometry import Point, Rect, Size
from studio.widgets.device_view.transform import ViewTransform

SCREENS = st.builds(Size, st.integers(200, 3200), st.integers(200, 3200))
VIEWS = st.builds(Size, st.integers(100, 4000), st.integers(100, 4000))
RATIOS = st.sampled_from([1.0, 1.25, 1.5, 2.0, 3.0])


@given(SCREENS, VIEWS, RATIOS, st.data())
def test_a_device_pixel_drawn_as_large_as_a_screen_pixel_is_found_where_it_is_drawn(
    screen: Size, view: Size, ratio: float, data: st.DataObject
) -> None:
    transform = ViewTransform.fit(screen, view, ratio).zoomed(data.draw(st.floats(1.0, 8.0)), 10, 10)
    point = Point(data.draw(st.integers(0, screen.width - 1)), data.draw(st.integers(0, screen.height - 1)))
    assert transform.to_device(*transform.to_view(point)) == point


@given(SCREENS, VIEWS, RATIOS, st.data())
def test_fitted_the_error_is_never_over_one_screen_pixel(
    screen: Size, view: Size, ratio: float, data: st.DataObject
) -> None:
    transform = ViewTransform.fit(screen, view, ratio)
    point = Point(data.draw(st.integers(0, screen.width - 1)), data.draw(st.integers(0, screen.height - 1)))
    back = transform.to_device(*transform.to_view(point))
    across = screen.width / transform.image.width
    down = screen.height / transform.image.height
    assert abs(back.x - point.x) <= across + 1
    assert abs(back.y - point.y) <= down + 1


@given(SCREENS, VIEWS, RATIOS)
def test_a_shrunk_picture_has_an_even_height_which_converts_fast(
    screen: Size, view: Size, ratio: float
) -> None:
    height = ViewTransform.fit(screen, view, ratio).image.height
    assert height >= screen.height or height == 1 or height % 2 == 0


@given(SCREENS, VIEWS, RATIOS)
def test_the_fitted_picture_lies_within_the_view(screen: Size, view: Size, ratio: float) -> None:
    transform = ViewTransform.fit(screen, view, ratio)
    assume(transform.scale > 0.05)
    slack = Rect(-1, -1, view.width + 1, view.height + 1)
    assert slack.encloses(transform.image_rect)


@given(SCREENS, VIEWS, RATIOS, st.floats(0.05, 16), st.floats(0, 1), st.floats(0, 1))
def test_zooming_keeps_the_place_under_the_pointer_while_the_picture_fills_the_view(
    screen: Size, view: Size, ratio: float, scale: float, across: float, down: float
) -> None:
    start = ViewTransform.fit(screen, view, ratio).zoomed(16, view.width / ratio / 2, view.height / ratio / 2)
    x, y = view.width * across / ratio, view.height * down / ratio
    zoomed = start.zoomed(scale, x, y)
    rect = zoomed.image_rect
    assume(rect.left < 0 and rect.top < 0 and rect.right > view.width and rect.bottom > view.height)
    before, after = start.to_device(x, y), zoomed.to_device(x, y)
    coarse = max(screen.width / zoomed.image.width, screen.height / zoomed.image.height, 1)
    assert abs(before.x - after.x) <= coarse + 1
    assert abs(before.y - after.y) <= coarse + 1


@given(SCREENS, VIEWS, RATIOS, st.floats(-9000, 9000), st.floats(-9000, 9000))
def test_panning_never_loses_the_picture(
    screen: Size, view: Size, ratio: float, dx: float, dy: float
) -> None:
    moved = ViewTransform.fit(screen, view, ratio).zoomed(3, 0, 0).panned(dx, dy)
    shown = moved.image_rect.intersection(Rect(0, 0, view.width, view.height))
    assert shown is not None
    assert shown.width == min(view.width, moved.image.width)
    assert shown.height == min(view.height, moved.image.height)


@given(SCREENS, VIEWS, RATIOS, st.integers(1, 199))
def test_boxes_that_touch_on_the_phone_touch_in_the_window(
    screen: Size, view: Size, ratio: float, cut: int
) -> None:
    transform = ViewTransform.fit(screen, view, ratio)
    left = transform.to_physical(Rect(0, 0, cut, screen.height))
    right = transform.to_physical(Rect(cut, 0, screen.width, screen.height))
    assert left.right == right.left
    assert transform.to_physical(Rect(0, 0, screen.width, screen.height)) == transform.image_rect


def test_beside_the_picture_is_nowhere_and_a_dragged_finger_stays_at_the_edge() -> None:
    transform = ViewTransform.fit(Size(1080, 2400), Size(1000, 1000))
    assert transform.position_at(0, 500) is None
    assert transform.clamped_position(-50, 5000).point == Point(0, 2399)


def test_one_to_one_at_ratio_two_shows_two_device_pixels_a_logical_one() -> None:
    transform = ViewTransform.fit(Size(1080, 2400), Size(1600, 1600), 2.0).zoomed(1.0, 0, 0)
    assert transform.image == Size(1080, 2400)
    before, after = transform.to_device(400, 400), transform.to_device(401, 400)
    assert after.x - before.x == 2


def test_a_view_of_another_size_keeps_the_middle() -> None:
    start = ViewTransform.fit(Size(1080, 2400), Size(800, 800)).zoomed(2.0, 400, 400)
    wider = start.resized(Size(1000, 800), 1.0)
    assert wider.to_device(500, 400) == start.to_device(400, 400)
