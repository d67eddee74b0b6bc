"""A touch goes onto the same node of another phone, to the same share of its screen, or nowhere."""

from __future__ import annotations

import pytest

from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Point, Position, Size
from collector.replay.mirrored_touch import MirrorScreen, NotMirrored, mirror_gesture, mirror_place
from tests.helpers.dumps import hierarchy, node

SMALL, LARGE = Size(360, 800), Size(720, 1400)


def shown(size, *children, **root):
    xml = hierarchy(node(*children, bounds=f"[0,0][{size.width},{size.height}]", **root))
    return MirrorScreen(parse_tree(xml.encode()), size)


def button(words, bounds, name="", **more):
    given = f"com.example.shop:id/{name}" if name else ""
    return node(
        text=words, bounds=bounds, clickable="true", resource_id=given,
        **{"class": "android.widget.Button"}, **more,
    )  # fmt: skip


def tap(x, y, screen=SMALL):
    return [Position(Point(x, y), screen)]


def landed(here, there, x, y):
    gesture = mirror_gesture(tap(x, y), here, there)
    return gesture.place(gesture.start).point, gesture.by_node


def test_a_tap_goes_onto_the_node_of_the_same_id_wherever_that_lies_and_whatever_it_says():
    here = shown(SMALL, button("Cart", "[10,700][110,780]", "cart"))
    there = shown(LARGE, button("购物车", "[600,20][700,60]", "cart"))
    assert landed(here, there, 60, 740) == (Point(650, 40), True)
    # In the same part of the node.
    assert landed(here, there, 10, 700) == (Point(600, 20), True)


def test_nodes_of_one_id_are_told_apart_by_their_words_and_then_by_their_place_among_them():
    rows = [button(word, f"[0,{100 * n}][360,{100 * n + 90}]", "row") for n, word in enumerate("abc", 1)]
    here = shown(SMALL, *rows)
    same_words = shown(
        LARGE,
        *(button(word, f"[0,{200 * n}][720,{200 * n + 180}]", "row") for n, word in enumerate("cab", 1)),
    )
    assert landed(here, same_words, 180, 145)[0].y // 200 == 2  # a is the second there
    translated = shown(
        LARGE,
        *(button(word, f"[0,{99 * n}][720,{99 * n + 90}]", "row") for n, word in enumerate("甲乙丙", 1)),
    )
    assert landed(here, translated, 180, 345)[0].y // 99 == 3


def test_a_node_without_an_id_is_found_where_both_have_the_same_kin():
    here = shown(SMALL, node(button("Save", "[0,0][100,50]"), button("Send", "[100,0][200,50]")))
    there = shown(LARGE, node(button("保存", "[0,0][200,99]"), button("发送", "[200,0][400,99]")))
    point, by_node = landed(here, there, 150, 25)
    assert by_node
    assert 200 <= point.x < 400
    more = shown(
        LARGE,
        node(*(button(word, f"[{x},300][{x + 90},399]") for word, x in (("新", 0), ("保", 99), ("发", 200)))),
    )
    with pytest.raises(NotMirrored, match="'Send' is not on its screen"):
        landed(here, more, 150, 25)


def test_what_is_not_there_is_said_and_never_guessed():
    rows = [button(f"Row {n}", f"[0,{100 * n}][360,{100 * n + 90}]", "row") for n in range(1, 4)]
    here = shown(SMALL, *rows, button("Pay", "[0,700][360,760]", "pay"))
    other_rows = [button(f"第{n}行", f"[0,{150 * n}][720,{150 * n + 90}]", "row") for n in range(1, 6)]
    there = shown(LARGE, *other_rows)
    with pytest.raises(NotMirrored, match="'Pay' is not on its screen"):
        landed(here, there, 100, 720)
    with pytest.raises(NotMirrored, match="'Row 3' is not on its screen"):
        landed(here, there, 180, 345)  # five rows there, three here: which one is it?
    with pytest.raises(NotMirrored, match="could not be read"):
        landed(here, MirrorScreen(None, LARGE), 100, 720)
    with pytest.raises(NotMirrored, match="It shows another app"):
        landed(here, shown(LARGE, package="com.example.mail"), 100, 720)


def test_icons_of_a_home_screen_in_another_language_are_not_told_apart_by_their_place():
    icons = [
        button(word, f"[{90 * n},600][{90 * n + 80},700]", "icon", package="com.android.launcher3")
        for n, word in enumerate(("Maps", "Shop"))
    ]
    translated = [
        button(word, f"[{180 * n},1050][{180 * n + 160},1200]", "icon", package="com.android.launcher3")
        for n, word in enumerate(("商店", "地图"))
    ]
    here = shown(SMALL, *icons, package="com.android.launcher3")
    with pytest.raises(NotMirrored, match="'Shop' is not on its screen") as refused:
        landed(here, shown(LARGE, *translated, package="com.android.launcher3"), 130, 650)
    assert "Open app" in refused.value.to_do
    assert landed(here, shown(LARGE, *icons, package="com.android.launcher3"), 130, 650)[1]


def test_a_touch_of_nothing_in_particular_goes_to_the_same_share_of_the_screen():
    here, there = shown(SMALL), shown(LARGE)
    assert landed(here, there, 180, 400) == (Point(360, 700), False)
    assert landed(MirrorScreen(None, SMALL), there, 90, 200) == (Point(180, 350), False)
    wide = shown(Size(1400, 720))
    with pytest.raises(NotMirrored, match="turned the other way"):
        landed(here, wide, 180, 400)
    with pytest.raises(NotMirrored, match="turned the other way"):
        mirror_place(Position(Point(1, 1), SMALL), here, wide)


def test_a_stroke_begins_on_its_node_or_at_its_share_and_keeps_its_way_within_the_screen():
    here = shown(SMALL, button("One", "[0,300][360,400]", "row"))
    way = [Position(Point(180, 350), SMALL), Position(Point(180, 50), SMALL)]
    plain = mirror_gesture(way, here, shown(LARGE))
    assert [plain.place(position).point for position in way] == [Point(360, 612), Point(360, 88)]
    found = mirror_gesture(way, here, shown(LARGE, button("One", "[0,200][720,300]", "row")))
    assert [found.place(position).point for position in way] == [Point(360, 250), Point(360, 0)]
    assert found.by_node
