"""A press on the ruler is a click until it moves."""

from studio.widgets.timeline.range_drag import RangeDrag


def test_a_press_that_does_not_move_is_a_click():
    drag = RangeDrag()
    drag.press(4, 100, None)
    assert drag.move(4, 102) is None
    assert drag.release()
    assert not drag.is_pressed


def test_a_drag_selects_in_both_directions():
    drag = RangeDrag()
    drag.press(4, 100, None)
    assert drag.move(6, 160) == range(4, 7)
    assert drag.move(2, 40) == range(2, 5)
    assert drag.move(4, 100) == range(4, 5)
    assert not drag.release()


def test_an_end_of_the_range_moves_alone():
    drag = RangeDrag()
    drag.press(6, 160, range(4, 7))
    assert drag.move(8, 200) == range(4, 9)
    drag.release()
    drag.press(4, 100, range(4, 9))
    assert drag.move(2, 40) == range(2, 9)
    drag.release()
    drag.press(5, 130, range(4, 9))
    assert drag.move(6, 160) == range(5, 7)
