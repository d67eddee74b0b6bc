"""Commands run only where they are handled, in scope, and when their clause holds."""

from __future__ import annotations

import pytest

from studio.commands.commander import Commander, CommandUnavailableError
from studio.commands.registry import Registry
from studio.commands.search import search
from studio.commands.when import compile_clause


@pytest.fixture
def commander():
    return Commander(Registry(system="linux"))


def test_a_command_runs_its_handler_with_arguments(commander):
    paths = []
    commander.handle("project.open", lambda path="": paths.append(path))
    commander.run("project.open", path="/somewhere")
    assert paths == ["/somewhere"]


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


def test_the_palette_finds_starts_of_words_first_and_letters_in_order():
    registry = Registry(system="linux")
    hits = search(registry, "ma")
    assert hits[0].command.id == "record.mark-state"
    assert hits[0].positions == (0, 1)
    assert "project.open-sample" in {hit.command.id for hit in search(registry, "osp")}
    assert search(registry, "zzzz") == []
    assert len(search(registry, "")) == len(list(registry))
