"""Keys and texts become what was left in the field."""

from __future__ import annotations

from collector.recorder.typing.typing_merge import PAUSE_NS, TypingMerge


def _typed(*parts: str) -> tuple[str, int] | None:
    merge = TypingMerge()
    for at, part in enumerate(parts):
        if part == "<":
            merge.backspace(at)
        else:
            merge.add(part, at)
    typed = merge.close()
    return (typed.text, typed.erased) if typed else None


def test_texts_join_and_backspaces_fold_in() -> None:
    assert _typed("p", "os", "x", "<", "ter") == ("poster", 0)
    assert _typed("a", "<") is None
    assert _typed("a", "<", "<", "<", "b") == ("b", 2)


def test_one_backspace_takes_one_character_as_a_person_sees_it() -> None:
    assert _typed("a\U0001f469\u200d\U0001f680", "<") == ("a", 0)
    assert _typed("a\U0001f44d\U0001f3fd", "<") == ("a", 0)
    assert _typed("ae\u0301", "<") == ("a", 0)
    assert _typed("你好", "<") == ("你", 0)


def test_a_pause_ends_it() -> None:
    merge = TypingMerge()
    assert not merge.is_over(10**12)
    merge.add("a", 0)
    assert not merge.is_over(PAUSE_NS - 1)
    assert merge.is_over(PAUSE_NS)
    assert merge.close().text == "a"
    assert not merge.is_open
    assert merge.close() is None
