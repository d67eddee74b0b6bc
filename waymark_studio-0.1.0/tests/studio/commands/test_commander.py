"""Commands run only where they are handled, in scope, and when their clause holds."""

from __future__ import annotations

import pytest

from studio.commands.commander import Commander, CommandUnavailableError
from studio.commands.reasons import IN_THE_WAY, MISSING, reason
from studio.commands.registry import ALL_COMMANDS, Registry
from studio.commands.search import PaletteEntry, search
from studio.commands.when import compile_clause


@pytest.fixture
def commander():
    return Commander(Registry(system="linux"))


def test_a_command_runs_its_handler_with_arguments(commander):
    paths = []
    commander.handle("project.open", lambda path="": paths.append(path))
    commander.run("project.open", path="/somewhere")
    assert paths == ["/somewhere"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"folder": "/x", "stp": "3"}, "it has no argument stp. Arguments: folder, step"),
        ({"step": "3"}, "it needs the argument folder"),
        ({"folder": "/x", "command_id": "y"}, "it has no argument command_id"),
    ],
)
def test_other_arguments_than_the_handlers_are_refused_in_a_sentence(commander, arguments, said):
    commander.handle("project.open", lambda folder, step="": None)
    with pytest.raises(CommandUnavailableError, match="was not run") as refused:
        commander.run("project.open", **arguments)
    assert said in str(refused.value)


def test_a_renamed_command_still_runs_by_its_former_id(commander):
    commander.handle("help.shortcuts", lambda: "shown")
    assert commander.run("help.keys") == "shown"


def test_a_command_without_handler_cannot_be_run_and_is_not_listed(commander):
    assert not commander.exists("project.open")
    assert commander.palette() == []
    with pytest.raises(CommandUnavailableError, match="cannot be run now"):
        commander.run("project.open")
    with pytest.raises(CommandUnavailableError, match="no command"):
        commander.run("make.coffee")


def test_scope_and_clause_decide(commander):
    commander.handle("record.finish", lambda: None)
    assert not commander.enabled("record.finish")
    commander.enter("record")
    assert not commander.enabled("record.finish")
    commander.set_context(recording=True)
    assert commander.enabled("record.finish")
    commander.enter("project")
    assert not commander.enabled("record.finish")


def test_changed_is_emitted_only_for_a_new_value(commander):
    events = []
    commander.changed.subscribe(events.append)
    commander.set_context(recording=True)
    commander.set_context(recording=True)
    assert len(events) == 1


def test_a_handler_can_be_removed_and_a_second_is_refused(commander):
    remove = commander.handle("app.quit", lambda: None)
    with pytest.raises(ValueError, match="already"):
        commander.handle("app.quit", lambda: None)
    remove()
    assert not commander.exists("app.quit")


@pytest.mark.parametrize(
    ("clause", "holds"),
    [("", True), ("a", True), ("b", False), ("a and not b", True), ("b or a", True), ("not (a or b)", False)],
)
def test_clauses(clause, holds):
    assert compile_clause(clause)({"a": 1, "b": 0}) is holds


@pytest.mark.parametrize("clause", ["a and", "(a", "a b", "not", "a & b"])
def test_bad_clauses_are_refused(clause):
    with pytest.raises(ValueError, match="clause"):
        compile_clause(clause)


def entry(title, kind="command", **details):
    return PaletteEntry(kind, title, title, **details)


def found(query, *entries):
    return [hit.entry.title for hit in search(entries, query)[0]]


def test_the_palette_ranks_exact_titles_then_starts_then_words_then_initials():
    entries = [
        entry(title) for title in ("Open the sample project", "Themes of apps", "Switch theme", "Theme")
    ]
    assert found("theme", *entries) == ["Theme", "Themes of apps", "Switch theme"]
    assert found("osp", *entries) == ["Open the sample project"]
    assert found("sample open", *entries) == ["Open the sample project"]
    assert found("ample", *entries) == ["Open the sample project"]
    assert found("zzzz", *entries) == []
    assert len(search(entries, "")[0]) == 4


def test_the_palette_finds_other_words_last_and_lists_what_runs_before_what_does_not():
    dark = entry("Switch between light and dark", words="view.theme")
    assert found("theme", dark, entry("Theme")) == ["Theme", "Switch between light and dark"]
    assert found("undo", entry("Undo all", problem="no anomaly is active"), entry("Undo rename")) == [
        "Undo rename", "Undo all",
    ]  # fmt: skip
    hit = search([entry("Mark essential state")], "ess")[0][0]
    assert hit.positions == (5, 6, 7)


@pytest.mark.parametrize(
    ("clause", "context", "sentence"),
    [
        ("project.open", {}, "no project is open"),
        ("recording and not paused", {"recording": 1, "paused": 1}, "the recording is paused"),
        ("device.live or recording", {}, "no phone is connected"),
        ("not (recording or paused)", {"paused": 1}, "the recording is paused"),
        ("recording", {"recording": 1}, ""),
    ],
)
def test_the_first_condition_that_does_not_hold_is_the_reason(clause, context, sentence):
    assert reason(clause, context) == sentence


def test_every_name_of_every_clause_has_a_sentence():
    for command in ALL_COMMANDS:
        for name, wanted in compile_clause(command.when).names():
            assert name in (MISSING if wanted else IN_THE_WAY), f"{command.id}: {name}"


def test_a_command_that_cannot_be_run_says_why(commander):
    commander.handle("record.finish", lambda: None)
    assert commander.problem("record.finish") == "it works in Record"
    commander.enter("record")
    with pytest.raises(CommandUnavailableError, match="nothing is being recorded"):
        commander.run("record.finish")
    assert "record.finish" in [command.id for command in commander.palette()]
