"""Every table row is valid: keys do not conflict on any system, clauses parse, icons exist."""

from __future__ import annotations

import pytest

from collector.model.resources import asset
from studio.commands.command import MENUS, SCOPES
from studio.commands.commander import ALIASES
from studio.commands.keys import is_typed, normalise
from studio.commands.registry import ALL_COMMANDS, Registry
from studio.commands.when import compile_clause
from tests.helpers.offenders import offenders


@pytest.mark.parametrize("system", ["linux", "windows", "macos"])
def test_no_two_commands_share_keys_where_both_work(system):
    assert Registry(system=system).conflicts() == []


def check_row(command):
    assert command.scope in SCOPES
    # A command that is in no menu is run by another part of the window, with arguments.
    assert command.menu.partition("/")[0] in MENUS or (not command.menu and not command.palette)
    assert not command.icon or asset("icons", f"{command.icon}.svg").is_file()
    compile_clause(command.when)
    assert command.title == command.title.strip()
    assert not command.tooltip.endswith(".")


def test_every_row_is_valid():
    assert offenders(check_row, ALL_COMMANDS, lambda command: command.id) == []


def test_ids_are_unique():
    assert len({command.id for command in ALL_COMMANDS}) == len(ALL_COMMANDS)


def test_each_former_id_leads_to_a_command_and_is_not_used_again():
    ids = {command.id for command in ALL_COMMANDS}
    assert set(ALIASES.values()) <= ids
    assert not ids & ALIASES.keys()


def test_custom_keys_replace_the_defaults_and_conflicts_are_listed():
    registry = Registry(system="linux")
    registry.bind({"record.mark-state": ["Ctrl+K"], "gone.command": ["F1"]})
    assert registry.keys("record.mark-state") == ("Ctrl+K",)
    assert {conflict.second for conflict in registry.conflicts()} == {"record.mark-state"}
    assert [command.id for command in registry.others_with("record.mark-state", "ctrl+k")] == ["view.palette"]


@pytest.mark.parametrize(
    ("text", "chord"),
    [
        ("shift+ctrl+p", "Ctrl+Shift+P"),
        ("m", "M"),
        ("Ctrl++", "Ctrl++"),
        ("?", "?"),
        ("F11", "F11"),
        ("", ""),
    ],
)
def test_one_chord_has_one_spelling(text, chord):
    assert normalise(text) == chord


def test_a_text_that_is_no_chord_is_refused():
    with pytest.raises(ValueError, match="not a shortcut"):
        normalise("Hyper+X")


def test_single_letters_are_typed_and_chords_are_not():
    assert is_typed("M")
    assert is_typed("Shift+?")
    assert is_typed("Del")
    assert not is_typed("Ctrl+K")
    assert not is_typed("F12")
