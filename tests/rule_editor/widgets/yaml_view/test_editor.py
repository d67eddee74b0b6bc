"""Typing is told in characters of the file, what is told back is shown, and keys do what they promise."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from collector.located_yaml.diagnostics import apply_edits
from collector.rules.grammar.rule_reader import read_rules
from rule_editor.document.completion.completions import Completion
from rule_editor.widgets.yaml_view.editor import YamlEditor
from rule_editor.widgets.yaml_view.line_annotations import ClauseTick

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "This plugin does not support", extend=True)
TEXT = """rules:
  - id: one 😀
    conditions:
      all:
        - type: element_exist
          selector: text='A'
    actions:
      - {type: inject_interference, interference_id: x, trigger_probability: 1.0}
"""


@pytest.fixture
def editor(toolkit, qtbot):
    editor = YamlEditor(toolkit)
    qtbot.addWidget(editor)
    editor.resize(560, 320)
    editor.set_text(TEXT)
    editor.show()
    qtbot.waitExposed(editor)
    editor.setFocus()
    return editor


def follow(editor: YamlEditor) -> list[str]:
    """The text as a document would have it that is told of all typing."""
    texts = [editor.text]

    def take(start: int, end: int, new: str) -> None:
        texts.append(texts[-1][:start] + new + texts[-1][end:])
        editor.set_text(texts[-1])

    editor.typed.connect(take)
    return texts


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_typing_after_an_emoji_and_over_line_ends_reaches_the_right_characters(editor, qtbot, ends) -> None:
    editor.set_text(TEXT.replace("\n", ends))
    texts = follow(editor)
    editor.go_to(editor.text.index("😀") + 1)
    qtbot.keyClicks(editor, "!")
    editor.insertPlainText("键")  # as an input method does; QTest cannot press it
    editor.go_to(editor.text.index("actions"))
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.keyClick(editor, Qt.Key.Key_Backspace)
    wanted = TEXT.replace("😀", "😀!键").replace("    actions", "    \n  actions")
    assert texts[-1] == wanted.replace("\n", ends)
    assert editor.toPlainText() == wanted


def test_an_outside_change_keeps_the_cursor_where_it_was(editor) -> None:
    editor.go_to(TEXT.index("actions"))
    editor.set_text("# a comment\n" + TEXT)
    assert editor.offset == len("# a comment\n") + TEXT.index("actions")


def test_programmatic_text_is_not_told_as_typing(editor, qtbot) -> None:
    with qtbot.assertNotEmitted(editor.typed):
        editor.set_text(TEXT.replace("one", "two"))
        editor.set_diagnostics(read_rules(editor.text).diagnostics)


def test_enter_indents_as_yaml_needs_it(editor, qtbot) -> None:
    texts = follow(editor)
    editor.go_to(TEXT.index("all:") + 4)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.keyClicks(editor, "-")
    assert "      all:\n        -\n" in texts[-1]
    editor.go_to(texts[-1].index("element_exist") + len("element_exist"))
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.keyClicks(editor, "x")
    assert "element_exist\n          x\n" in texts[-1]


def test_backspace_in_the_indentation_leaves_one_level_and_elsewhere_one_character(editor, qtbot) -> None:
    texts = follow(editor)
    editor.go_to(TEXT.index("selector"))
    for column in (8, 6, 4, 2, 0):
        qtbot.keyClick(editor, Qt.Key.Key_Backspace)
        assert texts[-1] == TEXT.replace("          selector", " " * column + "selector")
        assert editor.offset == texts[-1].index("selector")
    qtbot.keyClick(editor, Qt.Key.Key_Backspace)  # at the margin it joins the lines
    assert "element_existselector" in texts[-1]
    qtbot.keyClick(editor, Qt.Key.Key_Backspace)
    assert "element_exisselector" in texts[-1]


def test_a_block_goes_deeper_and_back_by_tab_and_shift_tab(editor, qtbot) -> None:
    texts = follow(editor)
    start, end = TEXT.index("        - type"), TEXT.index("    actions")
    editor.go_to(start, end)
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert "          - type: element_exist\n            selector: text='A'\n    actions" in texts[-1]
    for _press in range(2):
        qtbot.keyClick(editor, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert "      - type: element_exist\n        selector: text='A'\n    actions" in texts[-1]
    editor.go_to(texts[-1].index("id: one \U0001f600") + len("id: one \U0001f600"))
    qtbot.keyClick(editor, Qt.Key.Key_Return)  # counts the emoji as one character
    assert "- id: one \U0001f600\n    \n    conditions" in texts[-1]


def test_a_diagnostic_is_told_under_its_line_and_fixed_by_its_key(editor, qtbot) -> None:
    diagnostics = read_rules(TEXT).diagnostics
    before = editor.visible_lines()[6][1].top()
    editor.set_diagnostics(diagnostics)
    assert editor.visible_lines()[6][1].top() >= before + 18
    editor.go_to(TEXT.index("element_exist") + 3)
    with qtbot.waitSignal(editor.fix_chosen) as chosen:
        qtbot.keyClick(editor, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    assert "element_exists\n" in apply_edits(TEXT, chosen.args[0].edits)


def test_a_click_on_the_message_fixes_too(editor, qtbot) -> None:
    editor.set_diagnostics(read_rules(TEXT).diagnostics)
    box = editor.visible_lines()[4][1]
    point = box.bottomLeft()
    point.setX(40)
    point.setY(box.bottom() + 8)
    with qtbot.waitSignal(editor.fix_chosen):
        qtbot.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=point)


def test_ticks_stand_beside_their_lines(editor) -> None:
    editor.set_ticks([ClauseTick(5, True, "One node matches"), ClauseTick(6, False)])
    assert editor.annotations.icon(5) == "state-ok"
    assert editor.annotations.icon(6) == "state-err"
    assert editor.line_tooltip(5) == "One node matches"
    editor.set_diagnostics(read_rules(TEXT).diagnostics)
    assert editor.annotations.icon(5) == "state-err"


def test_completion_is_offered_while_typing_and_taken_by_enter(editor, qtbot) -> None:
    texts = follow(editor)
    at = TEXT.index("element_exist")

    def completions(_offset: int) -> list[Completion]:
        return [Completion(name, "doc", name, at, at + 14) for name in ("element_exists", "element_property")]

    editor.provider = completions
    editor.go_to(at + len("element_exist"))
    qtbot.keyClicks(editor, "z")
    assert [completion.label for completion in editor.completions.shown] == [
        "element_exists",
        "element_property",
    ]
    qtbot.keyClick(editor, Qt.Key.Key_Down)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert "type: element_property\n" in texts[-1]
    assert not editor.completions.isVisible()


def test_escape_closes_the_list_and_types_nothing(editor, qtbot) -> None:
    editor.provider = lambda _offset: [Completion("a", "", "a", 0, 0)]
    qtbot.keyClick(editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert editor.completions.isVisible()
    with qtbot.assertNotEmitted(editor.typed):
        qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert not editor.completions.isVisible()


def test_a_line_is_commented_out_and_in_again(editor, qtbot) -> None:
    texts = follow(editor)
    editor.go_to(TEXT.index("selector"))
    for _twice in range(2):
        qtbot.keyClick(editor, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)
    assert "          # selector" in texts[1]
    assert texts[-1] == TEXT


@pytest.mark.parametrize(
    "text", ["", "\x00", "a: [", "😀" * 50, "\r\r\n\n", "- " * 200, "'" * 99, "\u2028\u2029"]
)
def test_no_text_breaks_the_view(editor, text) -> None:
    editor.set_text(text)
    editor.set_diagnostics(read_rules(text).diagnostics)
    assert editor.grab().width() > 0


def test_what_is_known_of_later_lines_goes_with_them_until_it_is_found_anew(editor, qtbot) -> None:
    editor.set_diagnostics(read_rules(TEXT).diagnostics)
    editor.set_ticks([ClauseTick(2, True), ClauseTick(5, False)])
    editor.go_to(TEXT.index("    conditions"))
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.annotations.messages(6)
    assert not editor.annotations.messages(5)
    assert set(editor.annotations.ticks) == {2, 6}
    editor.set_text(TEXT)
    assert editor.annotations.messages(5)


@pytest.mark.parametrize("owner", [follow, lambda _editor: None], ids=["followed", "alone"])
def test_text_with_messages_is_deleted_to_its_end_and_the_cursor_is_told_after_it(
    editor, qtbot, owner
) -> None:
    """Qt would warn of a position that is out of range, which fails this test."""
    told: list[int] = []
    owner(editor)
    editor.moved.connect(told.append)
    editor.set_diagnostics(read_rules(editor.text).diagnostics)
    end = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    for start in (TEXT.index("exist"), 0):
        editor.go_to(start)
        qtbot.keyClick(editor, Qt.Key.Key_End, end)
        qtbot.keyClick(editor, Qt.Key.Key_Delete)
        assert told[-1] == editor.offset == start
    assert (editor.text, editor.toPlainText(), editor.offset) == ("", "", 0)


def test_every_line_has_its_height_and_room_for_its_messages_whatever_is_typed(editor, qtbot) -> None:
    diagnostics = read_rules(TEXT).diagnostics
    editor.set_diagnostics(diagnostics)

    def rooms() -> list[tuple[float, float]]:
        document = editor.document()
        blocks = [document.findBlockByNumber(number) for number in range(document.blockCount())]
        return [(block.blockFormat().lineHeight(), block.blockFormat().bottomMargin()) for block in blocks]

    line = diagnostics[0].place.line - 1
    height, room = rooms()[line]
    assert room > 0
    editor.go_to(editor.text.index("conditions"))
    follow(editor)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.keyClicks(editor, "ab")
    assert [at for at, (_height, more) in enumerate(rooms()) if more] == [line + 1]
    assert {height_of_line for height_of_line, _room in rooms()} == {height}
    editor.set_diagnostics(())
    assert not any(more for _height, more in rooms())
