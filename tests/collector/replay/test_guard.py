"""Whether a screen is the one recorded, and where the target lies on it now."""

from __future__ import annotations

import pytest

from collector.hierarchy.parse import parse_tree
from collector.model.action import Drag, Key, Pinch, Swipe, Tap, Type
from collector.model.geometry import Point, Rect, Size
from collector.replay.guard import ReadyStep, guard_step
from collector.replay.retarget import in_place, on_node
from tests.helpers.dumps import hierarchy, node
from tests.helpers.fake_phone import APP, FakePhone, recorded_step

BUY_BOX = Rect(100, 1000, 500, 1200)
BUY = "resource-id='app:id/buy'"


def button(text, box=BUY_BOX, name="buy", **given):
    return node(text=text, resource_id=f"app:id/{name}", clickable="true", bounds=str(box), **given)


def screen_of(*roots, package=APP, keyboard=None):
    return FakePhone({"Main": roots}, "Main", packages={"Main": package}, keyboard=keyboard).screen()


def tree_of(*roots):
    return parse_tree(hierarchy(*roots))


def buy_step(*selectors, **more):
    given = {"resource_id": "app:id/buy", "text": "Buy", "class_": "android.view.View"} | more
    return recorded_step(Tap(200, 1050), selectors or (BUY,), BUY_BOX, **given)


def found_at(sight) -> Point:
    assert isinstance(sight, ReadyStep), sight
    return sight.action.point


RECORDED = tree_of(button("Buy"))


def test_the_same_place_of_the_node_is_touched_where_it_lies_now():
    moved = Rect(300, 1600, 1100 - 400, 1800)
    sight = guard_step(buy_step(), RECORDED, screen_of(button("Buy", moved)))
    assert found_at(sight) == Point(400, 1650)
    assert sight.match.moved
    assert not guard_step(buy_step(), RECORDED, screen_of(button("Buy"))).match.moved


def test_a_recording_of_another_screen_size_is_scaled():
    step = recorded_step(Tap(100, 525), (BUY,), Rect(50, 500, 250, 600), size=Size(540, 1200), text="Buy")
    sight = guard_step(step, RECORDED, screen_of(button("Buy")))
    assert found_at(sight) == Point(200, 1050)
    assert not sight.match.moved


def test_another_app_in_front_says_what_it_shows():
    sight = guard_step(buy_step(), RECORDED, screen_of(node(text="Battery low"), package="com.other"))
    assert sight.reason == "app"
    assert "'Battery low'" in sight.actual


def test_another_activity_diverges_unless_the_recorded_tree_may_be_of_the_screen_before():
    live = screen_of(button("Buy"))
    assert guard_step(buy_step(activity=".Cart"), RECORDED, live).reason == "activity"
    assert isinstance(guard_step(buy_step(activity=".Cart", skew=0.4), RECORDED, live), ReadyStep)
    assert isinstance(guard_step(buy_step(activity=f"{APP}.Main"), RECORDED, live), ReadyStep)


def test_a_missing_target_names_what_is_nearest():
    other = node(text="Sell", resource_id="app:id/buy", class_="android.widget.Button", bounds="[0,0][99,99]")
    sight = guard_step(buy_step(), RECORDED, screen_of(other))
    assert sight.reason == "target"
    assert "'Sell'" in sight.nearest
    assert "class='android.widget.Button'" in sight.nearest


def test_of_several_that_fit_the_one_in_the_recorded_place_is_taken():
    far = Rect(100, 200, 500, 400)
    assert found_at(guard_step(buy_step(), RECORDED, screen_of(button("Buy", far), button("Buy")))) == Point(
        200, 1050
    )
    two_far = screen_of(button("Buy", far), button("Buy", Rect(100, 2000, 500, 2200)))
    sight = guard_step(buy_step(), RECORDED, two_far)
    assert sight.reason == "ambiguous"
    assert "2" in sight.actual


def test_a_place_in_a_list_is_not_taken_for_what_stood_there():
    row = node(node(text="Poster"), resource_id="app:id/row", clickable="true", bounds=str(BUY_BOX))
    other = node(node(text="Lamp"), resource_id="app:id/row", clickable="true", bounds=str(BUY_BOX))
    step = recorded_step(Tap(200, 1050), ("resource-id='app:id/row' [1]",), BUY_BOX, resource_id="app:id/row")
    assert isinstance(guard_step(step, tree_of(row), screen_of(row)), ReadyStep)
    assert guard_step(step, tree_of(row), screen_of(other)).reason == "target"


def test_a_row_that_moved_and_changed_is_known_by_its_name():
    def row(name, time, box):
        children = (node(text=name, bounds=str(box)), node(text=time, bounds=str(box)))
        return node(*children, resource_id="app:id/row", clickable="true", bounds=str(box))

    higher = Rect(100, 300, 500, 500)
    named = "resource-id='app:id/row' holding text='Dana'"
    step = recorded_step(
        Tap(200, 1050), (named, "resource-id='app:id/row'"), BUY_BOX, resource_id="app:id/row", path=(1,)
    )
    recorded = tree_of(row("Ben", "Mon", higher), row("Dana", "Thu", BUY_BOX))
    sight = guard_step(step, recorded, screen_of(row("Dana", "now", higher), row("Ben", "Mon", BUY_BOX)))
    assert found_at(sight).y < 500
    assert sight.match.moved
    assert sight.match.reworded


def test_other_words_in_the_same_place_pass_only_on_a_screen_that_is_alike():
    rest = [node(text=text, bounds="[0,0][90,90]") for text in ("Shop", "Posters", "Lamps")]
    recorded = tree_of(button("Cart (1)"), *rest)
    step = buy_step(text="Cart (1)")
    sight = guard_step(step, recorded, screen_of(button("Cart (2)"), *rest))
    assert isinstance(sight, ReadyStep)
    assert sight.match.reworded
    assert guard_step(step, recorded, screen_of(button("Cart (2)"), node(text="Sale"))).reason == "target"


def test_a_target_under_something_else_is_covered():
    sheet = node(text="Rate us", clickable="true", bounds="[0,900][1080,2400]")
    sight = guard_step(buy_step(), RECORDED, screen_of(button("Buy"), sheet))
    assert sight.reason == "covered"
    assert "Rate us" in sight.actual
    under_keys = screen_of(button("Buy"), keyboard=Rect(0, 900, 1080, 2400))
    assert guard_step(buy_step(), RECORDED, under_keys).reason == "covered"


def test_what_lay_over_the_target_when_it_was_recorded_does_not_cover_it():
    page = node(text="Page 1", clickable="true", bounds="[0,0][1080,2400]")
    live = screen_of(button("Buy"), page)
    assert found_at(guard_step(buy_step(), tree_of(button("Buy"), page), live)) is not None
    assert guard_step(buy_step(), RECORDED, live).reason == "covered"


def test_a_target_half_under_something_is_touched_in_its_middle():
    chip = node(text="New", clickable="true", bounds="[100,1000][250,1080]")
    assert found_at(guard_step(buy_step(), RECORDED, screen_of(button("Buy"), chip))) == BUY_BOX.center


def field(name, focused="true", **given):
    return node(class_="android.widget.EditText", resource_id=f"app:id/{name}", focused=focused, **given)


def test_text_needs_the_recorded_field_to_have_the_focus():
    step = recorded_step(Type("milk", 4), ("resource-id='app:id/title'",), resource_id="app:id/title")
    assert isinstance(guard_step(step, None, screen_of(field("title", text="some draft"))), ReadyStep)
    assert guard_step(step, None, screen_of(field("title", "false"))).reason == "focus"
    other = guard_step(step, None, screen_of(field("title", "false"), field("note", text="Note")))
    assert other.reason == "focus"
    assert "'Note'" in other.actual


@pytest.mark.parametrize("action", [Key("back"), Swipe(500, 2000, 500, 500)])
def test_without_a_target_the_screen_has_to_say_enough_of_what_it_said(action):
    words = [node(text=text) for text in ("One", "Two", "Three", "Four")]
    step = recorded_step(action, (BUY,), BUY_BOX)
    assert isinstance(guard_step(step, tree_of(*words), screen_of(*words[:2], node(text="Five"))), ReadyStep)
    sight = guard_step(step, tree_of(*words), screen_of(words[0], node(text="Sale")))
    assert sight.reason == "screen"
    assert "25 %" in sight.actual


def test_a_drag_takes_the_thing_where_it_is_and_brings_it_to_where_it_was_brought():
    path = ((0, 200, 1050), (400, 300, 1050), (800, 400, 1050))
    step = recorded_step(Drag(200, 1050, 400, 1050, 800, path), (BUY,), BUY_BOX, text="Buy")
    sight = guard_step(step, RECORDED, screen_of(button("Buy", Rect(100, 1100, 500, 1300))))
    assert sight.action.path == ((0, 200, 1150), (400, 300, 1100), (800, 400, 1050))
    assert sight.action.end == Point(400, 1050)


def test_fingers_keep_their_ways_where_the_screen_is_another() -> None:
    then, now = Size(100, 200), Size(200, 400)
    pinch = Pinch(50, 100, 2.0, 90, (((0, 40, 100), (90, 20, 100)), ((5, 60, 100), (80, 80, 100))))
    assert in_place(pinch, then, now) == Pinch(
        100, 200, 2.0, 90, (((0, 80, 200), (90, 40, 200)), ((5, 120, 200), (80, 160, 200)))
    )
    moved = on_node(pinch, Rect(0, 50, 100, 150), Rect(0, 150, 100, 250), then, then)
    assert moved.fingers == (((0, 40, 200), (90, 20, 200)), ((5, 60, 200), (80, 80, 200)))
