"""What a person can do in the code editor, as events on its state and by touch on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.virtual.apps.code.app import CodeApp
from collector.virtual.apps.code.state import CodeState, found_in
from collector.virtual.apps.code.syntax import COLORS, colored, language_of
from collector.virtual.ui.effects import Change, Finish, ScrollTo, ShowSnackbar
from collector.virtual.ui.events import Event
from tests.helpers.phone_driver import bounds, find, has, tap, tap_at
from tests.helpers.shell_device import shell_device

APP = CodeApp()
MAIN = "src/main.py"


def play(*events: Event, state: CodeState | None = None) -> tuple[CodeState, tuple[Any, ...]]:
    now = APP.initial(1, "en-US") if state is None else state
    effects: tuple[Any, ...] = ()
    for event in events:
        result = APP.update(now, event)
        now, effects = (result.state, result.effects) if isinstance(result, Change) else (result, ())
    return now, effects


def undo_of(effects: tuple[Any, ...]) -> Event:
    note = next(effect for effect in effects if isinstance(effect, ShowSnackbar))
    assert note.on_action is not None
    return note.on_action


def test_the_tree_shows_folders_before_files_and_only_open_ones() -> None:
    state = APP.initial(1, "en-US")
    assert [row.path for row in state.rows()] == [
        "drafts",
        "src",
        "src/web",
        MAIN,
        "src/sensors.py",
        "tests",
        "config.yaml",
        "notes.txt",
        "README.md",
    ]
    closed, _ = play(Event("folder", "src"))
    assert [row.path for row in closed.rows()][:3] == ["drafts", "src", "tests"]


def test_a_text_is_not_saved_until_somebody_saves_it() -> None:
    typed, _ = play(Event("open", MAIN), Event("type", value="print(1)\n"))
    assert typed.text(MAIN) == "print(1)\n"
    assert typed.saved_text(MAIN) != "print(1)\n"
    saved, _ = play(Event("save"), state=typed)
    assert (saved.saved_text(MAIN), saved.edits) == ("print(1)\n", {})
    same, _ = play(Event("type", value=APP.initial(1, "en-US").text(MAIN)), state=typed)
    assert same.edits == {}, "the saved text is no change"


def test_discarded_changes_come_back_with_undo() -> None:
    typed, _ = play(Event("open", MAIN), Event("type", value="x"))
    reverted, effects = play(Event("revert"), state=typed)
    assert reverted.edits == {}
    assert play(undo_of(effects), state=reverted)[0].edits == {MAIN: "x"}


def type_all(state: CodeState, *letters: str) -> CodeState:
    """Type at the beginning of the active file, letter by letter."""
    text, typed = state.text(state.active), ""
    for letter in letters:
        typed += letter
        state, _ = play(Event("type", value=typed + text), state=state)
    return state


def test_typing_is_taken_back_word_by_word_and_made_again() -> None:
    opened, _ = play(Event("open", MAIN))
    text = opened.text(MAIN)
    typed = type_all(opened, *"let x_1", "\n")
    texts, state = [], typed
    while state.done:
        state, _ = play(Event("undo"), state=state)
        texts.append(state.text(MAIN).removesuffix(text))
    assert texts == ["let x_1", "let ", "let", ""]
    assert (state.edits, play(Event("undo"), state=state)[0]) == ({}, state)
    again, _ = play(*[Event("redo")] * 9, state=state)
    assert (again.text(MAIN), again.undone) == (typed.text(MAIN), {})
    assert type_all(state, "a").undone == {}, "what was taken back is gone once something else is typed"


def test_letters_deleted_one_after_the_other_come_back_together() -> None:
    state, _ = play(Event("open", MAIN), Event("type", value="abcdef"))
    state, _ = play(*(Event("type", value="abcdef"[:end]) for end in (5, 4, 3)), state=state)
    assert play(Event("undo"), state=state)[0].text(MAIN) == "abcdef"


@given(st.lists(st.text("ab \n", max_size=12), min_size=1, max_size=12))
def test_every_text_that_was_there_comes_back(texts: list[str]) -> None:
    state, _ = play(Event("open", MAIN))
    first = state.text(MAIN)
    state, _ = play(*(Event("type", value=text) for text in texts), state=state)
    steps = len(state.done.get(MAIN, ()))
    back, _ = play(*[Event("undo")] * steps, state=state)
    assert (back.text(MAIN), back.edits) == (first, {})
    again, _ = play(*[Event("redo")] * steps, state=back)
    assert again.text(MAIN) == texts[-1]
    assert APP.state_from_plain(APP.state_to_plain(again)) == again


def test_each_file_has_a_history_of_its_own_which_a_rename_keeps() -> None:
    state, _ = play(Event("open", "notes.txt"), Event("type", value="n"), Event("open", MAIN),
                    Event("type", value="m"), Event("save"))  # fmt: skip
    state, _ = play(Event("undo"), state=state)
    assert (state.text("notes.txt"), MAIN in state.edits) == ("n", True), "also what is saved already"
    state, _ = play(
        Event("sheet", ("rename", "src")), Event("name", value="lib"), Event("rename"), state=state
    )
    state, _ = play(Event("redo"), state=state)
    assert (state.active, state.text("lib/main.py"), state.edits) == ("lib/main.py", "m", {"notes.txt": "n"})
    closed, _ = play(Event("close_tab", "notes.txt"), Event("discard_and_close"), state=state)
    assert set(closed.done) == {"lib/main.py"}


def test_the_buttons_take_typing_back_on_the_phone() -> None:
    with shell_device("code") as device:
        phone = device.phone
        phone.set_app_state("code", APP.state_to_plain(play(Event("open", "notes.txt"))[0]))
        device.shell("am start -n com.waymark.code/.EditorActivity")
        before = find(phone, resource_id="code").get("text", "")
        assert find(phone, resource_id="undo").get("enabled") == "false"
        tap(phone, resource_id="code")
        assert phone.commit_text("zz")
        assert "zz" in find(phone, resource_id="code").get("text", "")
        tap(phone, resource_id="undo")
        assert find(phone, resource_id="code").get("text") == before
        tap(phone, resource_id="redo")
        assert "zz" in find(phone, resource_id="code").get("text", "")


def test_a_tab_that_is_not_saved_asks_before_it_closes() -> None:
    typed, _ = play(Event("open", "notes.txt"), Event("open", MAIN), Event("type", value="x"))
    asked, _ = play(Event("close_tab", MAIN), state=typed)
    assert (asked.sheet, asked.tabs) == ("close", ("notes.txt", MAIN))
    discarded, _ = play(Event("discard_and_close"), state=asked)
    assert (discarded.tabs, discarded.active, discarded.edits) == (("notes.txt",), "notes.txt", {})
    saved, _ = play(Event("save_and_close"), state=asked)
    assert (saved.saved_text(MAIN), saved.tabs) == ("x", ("notes.txt",))
    last, _ = play(Event("close_tab", "notes.txt"), state=saved)
    assert (last.tabs, last.active) == ((), "")


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("", "needs_name"),
        ("a/b", "bad_name"),
        ("..", "bad_name"),
        ("sensors.py", "name_taken"),
        ("web", "name_taken"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(name: str, error: str) -> None:
    for opening, confirm in (("new_file", "create"), ("new_folder", "create"), ("rename", "rename")):
        target = MAIN if opening == "rename" else "src"
        state, _ = play(Event("sheet", (opening, target)), Event("name", value=name), Event(confirm))
        assert (state.error, state.sheet) == (error, opening)
        assert state.files == APP.initial(1, "en-US").files


def test_a_new_file_is_open_and_a_new_folder_is_shown() -> None:
    state, _ = play(Event("sheet", ("new_folder", "drafts")), Event("name", value=" ideas "), Event("create"))
    assert "drafts/ideas" in [row.path for row in state.rows()]
    state, _ = play(
        Event("sheet", ("new_file", "drafts/ideas")),
        Event("name", value="a.py"),
        Event("create"),
        state=state,
    )
    assert (state.active, state.saved_text("drafts/ideas/a.py")) == ("drafts/ideas/a.py", "")


def test_renaming_a_folder_takes_its_files_tabs_and_changes_along() -> None:
    state, _ = play(
        Event("open", MAIN),
        Event("type", value="x"),
        Event("sheet", ("rename", "src")),
        Event("name", value="lib"),
        Event("rename"),
    )
    assert (state.tabs, state.active, state.edits) == (("lib/main.py",), "lib/main.py", {"lib/main.py": "x"})
    assert "lib/web" in state.folders
    assert state.saved_text("lib/web/app.js")
    assert not state.exists("src")


def test_a_folder_with_files_asks_and_comes_back_whole() -> None:
    before = APP.initial(1, "en-US")
    asked, _ = play(Event("open", MAIN), Event("sheet", ("item", "src")), Event("delete"))
    assert asked.sheet == "delete"
    deleted, effects = play(Event("delete"), state=asked)
    assert not deleted.exists(MAIN)
    assert deleted.tabs == ()
    restored, _ = play(undo_of(effects), state=deleted)
    assert sorted(restored.files, key=lambda file: file.path) == sorted(
        before.files, key=lambda file: file.path
    )
    assert set(restored.folders) == set(before.folders)
    empty, _ = play(Event("sheet", ("item", "drafts")), Event("delete"))
    assert not empty.exists("drafts"), "an empty folder needs no question"


def test_matches_are_counted_chosen_and_replaced() -> None:
    state, _ = play(Event("open", MAIN), Event("type", value="Sun sun\nmoon sun"), Event("find", "replace"))
    state, effects = play(Event("find_text", value="sun"), state=state)
    assert state.matches == ((0, 3), (4, 7), (13, 16))
    assert [effect.share for effect in effects if isinstance(effect, ScrollTo)] == [0, 0]
    state, _ = play(Event("next"), Event("replacement", value="star"), Event("replace_one"), state=state)
    assert (state.text(MAIN), state.match) == ("Sun star\nmoon sun", 1)
    assert play(Event("next", -1), Event("next", -1), state=state)[0].match == 1
    cased, _ = play(Event("match_case"), state=state)
    assert len(cased.matches) == 1
    replaced, effects = play(Event("replace_all"), state=state)
    assert replaced.text(MAIN) == "star star\nmoon star"
    assert play(undo_of(effects), state=replaced)[0].text(MAIN) == "Sun star\nmoon sun"


def test_what_is_searched_is_taken_literally() -> None:
    assert found_in("a.b (a.b) axb", "a.b", True) == ((0, 3), (5, 8))
    assert found_in("aaa", "aa", False) == ((0, 2),)
    assert found_in("aaa", "", False) == ()


def test_back_closes_the_search_before_the_editor() -> None:
    state, _ = play(Event("open", MAIN), Event("find"))
    state, effects = play(Event("leave"), state=state)
    assert not state.finding
    assert not any(isinstance(effect, Finish) for effect in effects)
    assert isinstance(play(Event("leave"), state=state)[1][0], Finish)


@pytest.mark.parametrize(
    ("name", "text", "kinds"),
    [
        ("a.py", 'x = "s"  # c', {'"s"': "string", "# c": "comment"}),
        ("a.py", "def f(): return 1", {"def": "keyword", "f": "name", "return": "keyword", "1": "number"}),
        ("a.py", '"""open', {'"""open': "string"}),
        ("a.js", "const a = `b`; // c", {"const": "keyword", "`b`": "string", "// c": "comment"}),
        ("a.css", "li { color: #fff; }", {"li": "name", "color": "keyword", "#fff": "number"}),
        ("a.html", '<p id="x">', {"<p": "keyword", "id": "name", '"x"': "string"}),
        ("a.yaml", "port: 80 # c", {"port": "name", "80": "number", "# c": "comment"}),
        ("a.json", '{"a": true}', {'"a"': "name", "true": "keyword"}),
        ("a.md", "# Title\ntext `code`", {"# Title": "keyword", "`code`": "string"}),
    ],
)
def test_tokens_have_the_color_of_their_kind(name: str, text: str, kinds: dict[str, str]) -> None:
    for dark in (False, True):
        spans = colored(text, language_of(name), dark)
        assert "".join(span.text for span in spans) == text
        found = {span.text: span.color for span in spans if span.color}
        assert {token: COLORS[kind][dark] for token, kind in kinds.items()}.items() <= found.items()


def test_plain_texts_have_one_color() -> None:
    assert language_of("notes.TXT") == language_of("LICENSE") == "Text"
    assert colored("x = 1", "Text", False) == ()


def test_the_seed_decides_the_numbers() -> None:
    first, again, other = (APP.initial(seed, "en-US").text("config.yaml") for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert "<" not in first


def test_on_a_phone_a_line_is_tapped_changed_found_and_saved() -> None:
    with shell_device("code") as device:
        phone = device.phone
        device.shell("monkey -p com.waymark.code -c android.intent.category.LAUNCHER 1")
        tap(phone, content_desc="File config.yaml")
        text = find(phone, resource_id="code").get("text") or ""
        port = text.splitlines()[1]
        field = bounds(find(phone, resource_id="code"))
        # The second line, behind its end: 10 dp above the text, lines of 17.55 dp, 2 px per dp.
        tap_at(phone, field.left + 400, field.top + 20 + 52)
        device.shell("input text 1; input keyevent ENTER")
        device.shell("input text new:%s2")
        shown = find(phone, resource_id="code").get("text") or ""
        assert shown.splitlines()[1:3] == [f"{port}1", "new: 2"]
        assert find(phone, resource_id="line_numbers").get("text") == "\n".join(map(str, range(1, 11)))
        assert has(phone, resource_id="unsaved")
        tap(phone, resource_id="find")
        device.shell("input text interval")
        assert find(phone, resource_id="find_result").get("text") == "1 of 1"
        tap(phone, resource_id="save")
        assert not has(phone, resource_id="unsaved")
        saved = {file["path"]: file["text"] for file in phone.app_state("code")["files"]}
        assert saved["config.yaml"] == shown


def test_the_line_that_was_found_is_in_sight_in_a_file_that_is_shorter_than_the_page() -> None:
    with shell_device("code") as device:
        phone = device.phone
        phone.set_app_state("code", APP.state_to_plain(play(Event("open", "README.md"))[0]))
        device.shell("am start -n com.waymark.code/.EditorActivity")
        tap(phone, resource_id="find")
        phone.commit_text("port")
        page, numbers = (bounds(find(phone, resource_id=name)) for name in ("code_scroll", "line_numbers"))
        last, found, line = 14, 7, 35.1
        assert numbers.bottom - (last - found + 1.5) * line > page.top
