"""Tables that verbs print: aligned on a terminal, whole in a pipe."""

from __future__ import annotations

import pytest

from collector.cli.main import main
from collector.cli.output import print_json, print_json_in_parts, print_table


def test_columns_are_aligned_whatever_the_width_of_their_characters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = [("稻香", 1, ""), ("cafe\N{COMBINING ACUTE ACCENT}", 20, "x"), ("a\tb\x1b[31m", 3, "y")]
    print_table(("NAME", "NO", "NOTE"), rows)
    assert capsys.readouterr().out.splitlines() == [
        "NAME     NO  NOTE",
        "稻香     1",
        "cafe\N{COMBINING ACUTE ACCENT}     20  x",
        "a b[31m  3   y",
    ]


def test_a_row_is_never_wrapped_and_long_cells_are_cut(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(["A"] * 9, [["x" * 70] * 9], first=70)
    (_header, line) = capsys.readouterr().out.splitlines()
    assert line.split() == ["x" * 70, *["x" * 59 + "…"] * 8]


@pytest.mark.parametrize("items", [[], [{"a": [], "b": "x\ny"}, {}, 3, ["稻香\x1b"]]])
def test_a_document_in_parts_is_printed_as_a_whole_one(
    capsys: pytest.CaptureFixture[str], items: list[object]
) -> None:
    print_json({"first": {"a": [1, 2]}, "items": items, "last": ""})
    whole = capsys.readouterr().out
    print_json_in_parts({"first": {"a": [1, 2]}, "items": iter(items), "last": ""})
    assert capsys.readouterr().out == whole


def test_the_help_of_a_verb_says_the_keys_of_its_document(capsys: pytest.CaptureFixture[str]) -> None:
    for verb, keys in (("project new", "project (folder), name, semantics"), ("states undo", "undone, who,")):
        main([*verb.split(), "--help"])
        assert f"Its keys: {keys}" in " ".join(capsys.readouterr().out.split())
