"""The uiautomator dump, byte for byte and compared with real dumps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from collector.model.geometry import Rect
from collector.virtual.ui import widgets as w
from collector.virtual.ui.dump import dump_xml
from collector.virtual.ui.events import Event
from collector.virtual.ui.layout import lay_out
from collector.virtual.ui.look import Look
from collector.virtual.ui.scene import flatten
from collector.virtual.ui.theme import SETTINGS

LOOK = Look(SETTINGS, 1.0, package="com.example")
REAL = Path(__file__).parents[5] / "shared" / "data" / "dumps"
NODE = re.compile(rb"<node ([^<>]*?) ?/?>")
NAMES = re.compile(rb"([\w-]+)=[\"']")


def dumped(widget: w.Widget, compressed: bool = False, focused: str = "") -> str:
    frame = Rect(0, 0, 100, 200)
    scene = flatten(lay_out(widget, LOOK, 100, 200), LOOK, frame, {})
    return dump_xml(scene, 0, focused, compressed).decode()


def test_a_whole_dump_is_written_to_the_letter() -> None:
    widget = w.Column(
        (w.Text(text="Hi", id="title", height=20), w.Spacer(height=5), w.IconButton(on_tap=Event("x")))
    )
    assert dumped(widget) == (
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
        '<hierarchy rotation="0">'
        '<node index="0" text="" resource-id="" class="android.widget.LinearLayout" package="com.example"'
        ' content-desc="" checkable="false" checked="false" clickable="false" enabled="true"'
        ' focusable="false" focused="false" scrollable="false" long-clickable="false" password="false"'
        ' selected="false" bounds="[0,0][100,200]">'
        '<node index="0" text="Hi" resource-id="com.example:id/title" class="android.widget.TextView"'
        ' package="com.example" content-desc="" checkable="false" checked="false" clickable="false"'
        ' enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false"'
        ' password="false" selected="false" bounds="[0,0][100,20]" />'
        '<node NAF="true" index="1" text="" resource-id="" class="android.widget.ImageButton"'
        ' package="com.example" content-desc="" checkable="false" checked="false" clickable="true"'
        ' enabled="true" focusable="true" focused="false" scrollable="false" long-clickable="false"'
        ' password="false" selected="false" bounds="[0,25][48,73]" />'
        "</node></hierarchy>"
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a & <b>", '"a &amp; &lt;b&gt;"'),
        ("it's", '"it\'s"'),
        ('say "hi"', "'say \"hi\"'"),
        ('it\'s "so"', "'it&apos;s \"so\"'"),
        ("a\nb\tc", '"a&#10;b&#9;c"'),
        ("\x00\x1f\x85", '"..."'),
        ("😀 你好", '"&#128512; 你好"'),
    ],
)
def test_texts_are_escaped_as_androids_serializer_does(text: str, written: str) -> None:
    assert f" text={written} " in dumped(w.Text(text=text))


def test_a_password_is_dumped_as_bullets() -> None:
    xml = dumped(w.TextField("pässword", kind="password", id="field"), focused="")
    assert 'text="••••••••"' in xml
    assert 'password="true"' in xml


def test_an_empty_field_says_what_it_asks_for() -> None:
    assert 'text="Password"' in dumped(w.TextField("", label="Password", kind="password"), focused="")
    assert 'text="Your mail"' in dumped(w.TextField("", hint="Your mail", label="Mail"), focused="")
    assert 'text="x"' in dumped(w.TextField("x", label="Mail"), focused="")


def test_what_is_scrolled_out_of_sight_is_not_dumped_and_keeps_its_index() -> None:
    rows = tuple(w.Text(text=f"row {i}", height=30) for i in range(20))
    frame = Rect(0, 0, 100, 200)
    box = lay_out(w.ScrollList(rows), LOOK, 100, 200)
    xml = dump_xml(flatten(box, LOOK, frame, {"": 45.0}), 0).decode()
    assert 'text="row 0"' not in xml
    assert '<node index="1" text="row 1"' in xml
    assert 'bounds="[0,0][100,15]"' in xml
    assert 'scrollable="true"' in xml


def test_attributes_come_in_the_order_of_real_dumps() -> None:
    if not REAL.is_dir():
        pytest.skip("the real dumps of ../shared/data are not here")
    names = NAMES.findall(NODE.search(dumped(w.Text(text="x")).encode())[1])  # type: ignore[index]
    compared = 0
    for path in sorted(REAL.glob("*/dumps/*.xml")):
        data = path.read_bytes()
        if not data.startswith(
            b"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="
        ):
            continue
        orders = {tuple(NAMES.findall(match[1])) for match in NODE.finditer(data)}
        older = {order for order in orders if not {b"hint", b"drawing-order"} & set(order)}
        if older and all(len(order) in (17, 18) for order in older):
            compared += 1
            assert {tuple(name for name in order if name != b"NAF") for order in older} == {tuple(names)}, (
                path
            )
    assert compared > 20
