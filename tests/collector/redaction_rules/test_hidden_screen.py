"""What rules hide on one screen: where, when, and which words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Rect, Size
from collector.redaction_rules.covering import covered, is_covered
from collector.redaction_rules.hidden_screen import HiddenRegion, HiddenScreen, hidden_on, words_of
from collector.redaction_rules.pattern_spans import pattern_spans, pattern_words
from collector.redaction_rules.picture_detectors import detected, face_model_path
from collector.redaction_rules.rule_file import read_redaction
from collector.rules.evaluation.state_view import StateView
from tests.helpers.dumps import hierarchy, node
from tests.helpers.face_model import write_face_model

SCREEN = Size(100, 200)
LABEL = node(text="Owner", resource_id="app:id/label", bounds="[0,0][50,20]")
INNER = node(text="Jane Doe", bounds="[60,0][90,20]")
OUTER = node(INNER, content_desc="Jane Doe, 0171 5554321", resource_id="app:id/row", bounds="[50,0][100,20]")


def _hidden(rule: str, *nodes: str, package: str = "com.example.shop", tree: bool = True) -> HiddenScreen:
    xml = hierarchy(*(nodes or (LABEL, OUTER)))
    view = StateView(parse_tree(xml.encode()) if tree else None, b"", package if tree else "")
    file = read_redaction(f"redact: [{{name: r, {rule}}}]")
    assert not file.diagnostics
    return hidden_on(file.rules, view, SCREEN, detect=detected)


def _places(hidden: HiddenScreen) -> list[Rect]:
    return [region.bounds for region in hidden.pixels]


def _words(hidden: HiddenScreen) -> set[str]:
    return {word for _rule, word in hidden.words}


def test_a_selector_hides_a_node_with_all_that_is_in_it() -> None:
    hidden = _hidden("where: {selector: \"resource-id='app:id/row'\"}")
    assert _places(hidden) == hidden.tree == [Rect(50, 0, 100, 20)]
    assert _words(hidden) == {"Jane Doe, 0171 5554321", "5554321", "0171", "Jane Doe"}
    assert hidden.holding == {"r"}


def test_a_pattern_hides_the_place_that_draws_it_and_the_match_alone() -> None:
    hidden = _hidden("where: {pattern: 'Jane \\w+'}")
    assert _places(hidden) == [Rect(60, 0, 90, 20)]
    assert _words(hidden) == {"Jane Doe"}
    only_said = _hidden("where: {pattern: '\\d{7}'}")
    assert _places(only_said) == [Rect(50, 0, 100, 20)]


def test_a_rectangle_hides_what_is_mostly_in_it() -> None:
    hidden = _hidden("where: {rectangle: [0, 0, 0.5, 0.1]}")
    assert _places(hidden) == [Rect(0, 0, 50, 20)]
    assert _words(hidden) == {"Owner"}


def test_parts_that_are_not_named_stay() -> None:
    place = "where: {selector: \"text='Owner'\"}"
    assert _hidden(f"{place}, what: [tree]").pixels == []
    assert _hidden(f"{place}, what: [pixels]").tree == []


@pytest.mark.parametrize(("given", "holds"), [
    ("apps: [com.example.shop]", True),
    ("apps: [com.other]", False),
    ("when: [{type: element_exists, selector: \"text='Owner'\"}]", True),
    ("when: [{type: element_exists, selector: \"text='Buyer'\"}]", False),
    ("when: {not: [{type: element_exists, selector: \"text='Buyer'\"}]}", True),
])  # fmt: skip
def test_a_rule_counts_where_its_app_and_its_conditions_hold(given: str, holds: bool) -> None:
    hidden = _hidden(f"where: {{rectangle: [0, 0, 1, 1]}}, {given}")
    assert bool(hidden.pixels) is holds
    assert hidden.doubted == []


@pytest.mark.parametrize("rule", [
    "where: {selector: \"text='a'\"}",
    "where: {pattern: 'abc'}",
    "where: {rectangle: [0, 0, 0.1, 0.1]}, apps: [com.example.shop]",
    "where: {rectangle: [0, 0, 0.1, 0.1]}, when: [{type: element_exists, selector: \"text='a'\"}]",
])  # fmt: skip
def test_a_screen_of_which_nobody_can_say_is_hidden_whole(rule: str) -> None:
    hidden = _hidden(rule, tree=False)
    assert _places(hidden) == [Rect(0, 0, 100, 200)]
    assert hidden.doubted == ["r"]
    assert not _hidden(f"{rule}, in_doubt: keep", tree=False)


def test_words_of_a_text_are_its_lines_and_what_tells() -> None:
    assert words_of("Jane Doe\n+49 171 5554321, jane@x.org no 7") == [
        "Jane Doe\n+49 171 5554321, jane@x.org no 7", "Jane Doe", "+49 171 5554321, jane@x.org no 7",
        "5554321", "jane@x.org",
    ]  # fmt: skip


def test_a_pattern_is_found_in_long_texts_in_bounded_time() -> None:
    mail = r"[\w.+-]+@[\w-]+\.[\w.]+"
    text = "x " * 30_000 + "write to jane.doe@example.org now" + " y" * 30_000
    assert "jane.doe@example.org" in pattern_words(mail, text)
    assert pattern_spans(r"\d{4}", "no 12 but 1234 and\n5678") == [(10, 14), (19, 23)]


def test_a_fill_is_black_and_a_blur_shows_no_letter() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (200, 100, 3), dtype=np.uint8)
    box = Rect(10, 20, 60, 80)
    filled = covered(noise, [HiddenRegion("r", box, "fill")], SCREEN)
    assert is_covered(filled, box, SCREEN)
    assert not is_covered(noise, box, SCREEN)
    assert (filled[:20] == noise[:20]).all()
    half = covered(noise[::2, ::2], [HiddenRegion("r", box, "fill")], SCREEN)
    assert is_covered(half, box, SCREEN)
    blurred = covered(noise, [HiddenRegion("r", box, "blur")], SCREEN)[20:80, 10:60].astype(int)
    assert np.abs(np.diff(blurred, axis=1)).max() < 20 < np.abs(np.diff(noise.astype(int), axis=1)).max()


def test_faces_are_looked_for_in_the_picture_and_in_a_small_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenCV's detector runs a model of YuNet's form, to which red squares of 32 pixels are faces."""
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path))
    assert face_model_path().is_relative_to(tmp_path)
    monkeypatch.setenv("WAYMARK_FACE_MODEL", str(tmp_path / "elsewhere.onnx"))
    write_face_model(tmp_path / "elsewhere.onnx")

    def found(*faces: Rect) -> Sequence[Rect]:
        picture = np.full((1280, 736, 3), 200, np.uint8)
        for face in faces:
            picture[face.top : face.bottom, face.left : face.right] = (255, 20, 20)
        return detected("faces", StateView(picture=lambda: picture), Size(736, 1280))

    # Widened by 15 % on each side.
    assert found(Rect(96, 160, 128, 192)) == [Rect(91, 155, 133, 197)]
    # Four cells of the picture, one of the copy of half the size.
    assert Rect(118, 182, 202, 266) in found(Rect(128, 192, 192, 256))
    assert found() == []


def test_a_qr_code_is_found_and_nothing_else() -> None:
    import cv2

    code = cv2.QRCodeEncoder.create().encode("https://example.org/secret?id=4711")
    code = cv2.resize(code, None, fx=6, fy=6, interpolation=cv2.INTER_NEAREST)
    height, width = code.shape
    picture = np.full((height + 200, width + 300, 3), 255, dtype=np.uint8)
    picture[100 : 100 + height, 150 : 150 + width] = code[..., None]
    screen = Size(picture.shape[1] * 2, picture.shape[0] * 2)
    (box,) = detected("qr_codes", StateView(picture=lambda: picture), screen)
    black = np.argwhere(picture[..., 0] == 0)
    (top, left), (bottom, right) = black.min(axis=0) * 2, (black.max(axis=0) + 1) * 2
    assert box.encloses(Rect(left, top, right, bottom))
    assert box.area < 1.5 * (right - left) * (bottom - top)
    assert detected("qr_codes", StateView(picture=lambda: picture[:90]), screen) == []
    assert detected("qr_codes", StateView(), screen) == ()
