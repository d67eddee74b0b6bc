"""Comments that silence findings."""

from __future__ import annotations

from tests.helpers.linting import apply_fixes, lint, names

RULE = """
rules:
  - id: r
    conditions:
      all:
        - {{type: semantic_element_exists, keywords: [Buy, buy]}}{own}
    actions: [{{type: inject_interference, interference_id: a}}]
"""


def test_a_comment_silences_its_line_by_code_or_name() -> None:
    assert names(lint(RULE.format(own=""))) == ["W303"]
    for word in ("W303", "repeated-keyword", "W101, W303", "W302 W303"):
        assert lint(RULE.format(own=f"  # waymark: ignore {word}")) == []


def test_a_comment_alone_silences_the_next_line_that_holds_something() -> None:
    text = RULE.format(own="").replace(
        "      all:\n", "      all:\n        # waymark: ignore W303\n\n        # why\n"
    )
    assert lint(text) == []


def test_a_file_can_be_silenced_for_a_code() -> None:
    assert lint("# waymark: ignore-file W303\n" + RULE.format(own="")) == []


def test_other_codes_and_lines_are_still_told() -> None:
    assert names(lint(RULE.format(own="  # waymark: ignore W302"))) == ["W303"]
    assert names(lint("# waymark: ignore W303\n" + RULE.format(own=""))) == ["W303"]


def test_an_unknown_code_is_told_and_mended() -> None:
    text = RULE.format(own="  # waymark: ignore repeated-keywords")
    diagnostics = lint(text)
    assert sorted(names(diagnostics)) == ["W112", "W303"]
    ((_diagnostic, _title, better),) = apply_fixes(
        text, [diagnostic for diagnostic in diagnostics if diagnostic.code == "W112"]
    )
    assert lint(better) == []


def test_a_text_that_only_looks_like_a_comment_silences_nothing() -> None:
    text = RULE.format(own="").replace("[Buy, buy]", "['x # waymark: ignore W303', Buy, buy]")
    assert names(lint(text)) == ["W303"]


def test_broken_yaml_cannot_be_silenced() -> None:
    assert "W101" in names(lint("# waymark: ignore-file W101\nrules: [\n"))
