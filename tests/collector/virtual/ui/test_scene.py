"""Pixels, hierarchy XML and hit test come from one scene and agree for any widgets."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st

from collector.model.geometry import Point, Rect, Size
from collector.virtual.ui import widgets as w
from collector.virtual.ui.drawing.canvas import Canvas
from collector.virtual.ui.drawing.paint import Touches, paint
from collector.virtual.ui.dump import dump_xml
from collector.virtual.ui.events import Event
from collector.virtual.ui.layout import lay_out
from collector.virtual.ui.look import Look
from collector.virtual.ui.scene import Scene, clickable, flatten, node_class
from collector.virtual.ui.theme import SETTINGS

LOOK = Look(SETTINGS, 2.0, package="com.example.random")
SCREEN = Rect(0, 0, 400, 700)
NAMES = st.sampled_from(["", "one", "two"])
SIZES = st.sampled_from([None, w.FILL, 0.0, 7.0, 60.0, 900.0])
SHARED = {
    "id": NAMES,
    "description": st.sampled_from(["", "a < b & \"c\" 'd'", "😀\u0007"]),
    "on_tap": st.sampled_from([None, Event("tap")]),
    "width": SIZES,
    "height": SIZES,
    "grow": st.sampled_from([0.0, 1.0, 2.5]),
    "padding": st.sampled_from([0.0, 3.0, (4.0, 1.0), (1.0, 2.0, 3.0, 40.0)]),
    "margin": st.sampled_from([0.0, 5.0, (0.0, 30.0)]),
    "background": st.sampled_from([None, "primary", "#123456"]),
    "radius": st.sampled_from([0.0, 6.0, (1.0, 2.0, 3.0, 4.0)]),
    "enabled": st.booleans(),
}


def built(widget: type[w.Widget], /, **own: st.SearchStrategy[object]) -> st.SearchStrategy[w.Widget]:
    return st.builds(widget, **own, **SHARED)


WORDS = st.one_of(st.text(max_size=30), st.sampled_from(["word " * 20, "你好世界" * 5, "שלום مرحبا", "a\nb"]))
LEAVES = st.one_of(
    built(w.Text, text=WORDS, size=st.floats(4, 40), max_lines=st.integers(0, 3)),
    built(w.Icon, name=st.sampled_from(["wifi", "no such icon"])),
    built(w.Image, picture=st.just("none")),
    built(w.TextField, text=WORDS, kind=st.sampled_from(["text", "password", "multiline"])),
    built(w.Switch, checked=st.booleans()),
    built(w.Checkbox, label=WORDS),
    built(w.Radio, label=WORDS),
    built(w.Slider, value=st.floats(-1, 2)),
    built(w.Progress, value=st.one_of(st.none(), st.floats(-1, 2))),
    built(w.Button, label=WORDS),
    built(w.IconButton, icon=st.just("menu")),
    built(w.Chip, label=WORDS),
    built(w.ListItem, title=WORDS, subtitle=WORDS),
    built(w.Divider),
    built(w.Spacer),
)


def containers(inside: st.SearchStrategy[w.Widget]) -> st.SearchStrategy[w.Widget]:
    children = st.lists(inside, max_size=4).map(tuple)
    align = st.sampled_from(["start", "center", "end", "stretch"])
    return st.one_of(
        built(w.Column, children=children, align=align, arrange=st.sampled_from(["start", "between", "end"])),
        built(w.Row, children=children, align=align, gap=st.just(3.0)),
        built(w.Flow, children=children),
        built(w.Grid, children=children, columns=st.integers(1, 3)),
        built(w.Stack, children=children, at=st.tuples(align, align)),
        built(w.ScrollList, children=children, horizontal=st.booleans(), from_end=st.booleans()),
        built(w.Scroll, child=inside),
        built(w.Card, child=inside),
    )


TREES = st.recursive(LEAVES, containers, max_leaves=12)


def scene_of(widget: w.Widget, offset: float = 0.0) -> Scene:
    box = lay_out(widget, LOOK, SCREEN.width, SCREEN.height)
    paths = [node.path for node in flatten(box, LOOK, SCREEN, {}).nodes]
    return flatten(box, LOOK, SCREEN, dict.fromkeys(paths, offset))


@settings(max_examples=150, deadline=None)
@given(TREES, st.floats(0, 500))
def test_the_dump_always_parses_and_stays_inside_its_window(widget: w.Widget, offset: float) -> None:
    scene = scene_of(widget, offset)
    for compressed in (False, True):
        root = ET.fromstring(dump_xml(scene, 1, compressed=compressed))
        assert root.get("rotation") == "1"
        for node in root.iter("node"):
            rect = Rect.parse(node.get("bounds", ""))
            assert SCREEN.encloses(rect)
            assert not rect.is_empty


@settings(max_examples=150, deadline=None)
@given(TREES, st.floats(0, 500), st.integers(0, 399), st.integers(0, 699))
def test_what_a_tap_hits_is_the_last_clickable_node_of_the_dump_there(
    widget: w.Widget, offset: float, x: int, y: int
) -> None:
    scene = scene_of(widget, offset)
    point = Point(x, y)
    hit = next((node for node in scene.at(point) if clickable(node.widget) and node_class(node.widget)), None)
    dumped = [
        Rect.parse(node.get("bounds", ""))
        for node in ET.fromstring(dump_xml(scene, 0)).iter("node")
        if node.get("clickable") == "true"
    ]
    under = [rect for rect in dumped if rect.contains(point)]
    assert (hit.visible if hit else None) == (under[-1] if under else None)


@settings(max_examples=80, deadline=None)
@given(TREES)
def test_every_node_has_a_path_of_its_own_and_a_view_says_whether_it_has_a_field(widget: w.Widget) -> None:
    nodes = scene_of(widget).nodes
    paths = [node.path for node in nodes]
    assert len(set(paths)) == len(paths)
    assert w.has_field(widget) or not any(isinstance(node.widget, w.TextField) for node in nodes)


def test_a_field_is_found_in_every_part_of_a_screen() -> None:
    field, words = w.TextField(""), w.Text(text="words")
    empty = w.Screen(w.Column((words, w.Row((w.Switch(), w.Spacer())))), w.AppBar(title="Buy"))
    assert not w.has_field(empty)
    for part in (
        {"content": w.Stack((words, w.Scroll(child=w.Card(child=field))))},
        {"content": w.ListItem(title="Query", trailing=field)},
        {"app_bar": w.AppBar(middle=field)},
        {"bottom_bar": w.Row((field,))},
        {"dialog": w.Dialog("Name", body=w.Column((field,)))},
        {"sheet": w.Sheet(field)},
    ):
        assert w.has_field(replace(empty, **part)), part


@settings(max_examples=80, deadline=None)
@given(TREES, st.floats(0, 500))
def test_a_filled_box_fills_exactly_the_bounds_it_is_dumped_with(widget: w.Widget, offset: float) -> None:
    marked = w.Column((w.Spacer(height=11), widget, w.Column(id="mark", height=20, background="#FE00FD")))
    scene = scene_of(marked, offset)
    node = scene.by_id("mark")
    canvas = Canvas(Size(SCREEN.width, SCREEN.height))
    canvas.show(paint(scene, Touches()))
    painted = (canvas.pixels[..., :3] == (0xFE, 0, 0xFD)).all(axis=2)
    if node is None:
        assert not painted.any()
        return
    rect = node.visible
    assert painted[rect.top : rect.bottom, rect.left : rect.right].all()
    assert painted.sum() == rect.area


@settings(max_examples=60, deadline=None)
@given(TREES, TREES)
@example(w.Image(picture="none"), w.Row((w.Icon(name="wifi", grow=1.0), w.TextField()), gap=3.0))
@example(w.Text(size=4.0), w.Flow((), height=w.FILL, padding=3.0, background="primary", radius=(1, 2, 3, 4)))
def test_drawing_the_difference_gives_the_same_pixels_as_drawing_everything(
    before: w.Widget, after: w.Widget
) -> None:
    background = w.Column(width=w.FILL, height=w.FILL, background="surface")
    fresh, updated = Canvas(SCREEN.size), Canvas(SCREEN.size)
    first = scene_of(w.Stack((background, before)))
    second = scene_of(w.Stack((background, after)))
    updated.show(paint(first, Touches()))
    updated.show(paint(second, Touches()))
    fresh.show(paint(second, Touches()))
    assert (updated.pixels == fresh.pixels).all()
