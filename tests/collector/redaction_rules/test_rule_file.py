"""Reading ``redact.yaml``: every key, and what is wrong with a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.model.errors import UserError
from collector.model.geometry import Rect, Size
from collector.redaction_rules.redaction_rule import BLUR, CAPTIONS, KEEP, PARTS, PIXELS, ScreenShare
from collector.redaction_rules.rule_file import read_redaction, redaction_of
from collector.store.files.layout import REDACTION_FILE


def _codes(text: str) -> list[str]:
    return [item.code for item in read_redaction(text).diagnostics]


def test_every_key_of_a_rule_is_read() -> None:
    file = read_redaction("""
redact:
  - name: owner
    where: {rectangle: [0, 0.5, 1, 0.75], selector: "text='Owner'", pattern: '\\d{4}', detect: qr_codes}
    when:
      - {type: element_exists, selector: "text='Account'"}
    apps: com.bank
    tasks: [one, two]
    what: [pixels, captions]
    style: blur
    in_doubt: keep
""")
    (rule,) = file.rules
    assert file.diagnostics == ()
    assert rule.rectangle == ScreenShare(0, 0.5, 1, 0.75)
    assert rule.rectangle.on(Size(101, 203)) == Rect(0, 101, 101, 153)
    assert (rule.selector, rule.pattern, rule.detector) == ("text='Owner'", r"\d{4}", "qr_codes")
    assert (rule.apps, rule.tasks, rule.style, rule.in_doubt) == (("com.bank",), ("one", "two"), BLUR, KEEP)
    assert rule.parts == {PIXELS, CAPTIONS}
    assert len(rule.when.conditions) == 1


def test_a_rule_hides_everything_by_a_fill_unless_it_says_otherwise() -> None:
    (rule,) = read_redaction("redact: [{name: a, where: {selector: \"text='b'\"}}]").rules
    assert rule.parts == frozenset(PARTS)
    assert (rule.style, rule.in_doubt, rule.holds_everywhere) == ("fill", "hide", True)
    assert read_redaction("").rules == read_redaction("redact:").rules == ()


@pytest.mark.parametrize(("text", "code"), [
    ("redact: [{where: {pattern: abc}}]", "W106"),
    ("redact: [{name: a}]", "W106"),
    ("redact: [{name: a, where: {}}]", "W106"),
    ("redact: [{name: a, where: {pattern: '('}}]", "W108"),
    ("redact: [{name: a, where: {pattern: '(a+)+b'}}]", "W108"),
    ("redact: [{name: a, where: {pattern: 'a*'}}]", "W108"),
    ("redact: [{name: a, where: {selector: '='}}]", "W107"),
    ("redact: [{name: a, where: {rectangle: [0, 0, 1080, 100]}}]", "W103"),
    ("redact: [{name: a, where: {rectangle: [0.5, 0, 0.5, 1]}}]", "W103"),
    ("redact: [{name: a, where: {detect: cats}}]", "W104"),
    ("redact: [{name: a, where: {pattern: b}, style: pixelate}]", "W104"),
    ("redact: [{name: a, where: {pattern: b}, what: [sounds]}]", "W104"),
    ("redact: [{name: a, where: {pattern: b}, when: [{type: state_reached, state: x}]}]", "W103"),
    ("redact: [{name: a, where: {pattern: b}, when: [{type: no_such}]}]", "W104"),
    ("redact: [{name: a, where: {pattern: b}}, {name: a, where: {pattern: c}}]", "W208"),
    ("redact: [text]", "W103"),
    ("[a]", "W103"),
    ("redact: [{name: a, where: {pattern: b}, hides: all}]", "W105"),
    ("redact: [", "W101"),
])  # fmt: skip
def test_what_is_wrong_is_said(text: str, code: str) -> None:
    assert code in _codes(text)


def test_a_file_with_an_error_lets_nothing_be_recorded(tmp_path: Path) -> None:
    assert redaction_of(tmp_path) == ()
    (tmp_path / REDACTION_FILE).write_text("redact:\n  - name: a\n    where: {pattern: '('}\n")
    with pytest.raises(UserError, match=r"redact\.yaml:3"):
        redaction_of(tmp_path)


def test_faces_need_a_model_that_is_not_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path))
    (tmp_path / REDACTION_FILE).write_text("redact: [{name: a, where: {detect: faces}}]")
    with pytest.raises(UserError, match="Faces cannot be found") as error:
        redaction_of(tmp_path)
    assert str(tmp_path / "data" / "face_detection_yunet.onnx") in error.value.why
    assert "face_detection_yunet_2026may.onnx of github.com/opencv/opencv_zoo" in error.value.to_do
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data" / "face_detection_yunet.onnx").write_bytes(b"no model")
    with pytest.raises(UserError, match="OpenCV cannot use") as error:
        redaction_of(tmp_path)
    assert "opencv_zoo" in error.value.to_do
