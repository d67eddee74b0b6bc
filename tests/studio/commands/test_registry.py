"""The table is sound: keys do not clash on any system, clauses parse, icons exist."""

from __future__ import annotations

import pytest

from collector.model.resources import asset
from studio.commands.command import MENUS, SCOPES
from studio.commands.keys import SYSTEMS, is_typed, normalise
from studio.commands.registry import ALL_COMMANDS, Registry
from studio.commands.when import compile_clause


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_two_commands_share_keys_where_both_work(system):
    assert Registry(system=system).clashes() == []


@pytest.mark.parametrize("command", ALL_COMMANDS, ids=lambda one: one.id)
def test_every_row_is_sound(command):
    assert command.scope in SCOPES
    assert command.menu.partition("/")[0] in MENUS
    assert not command.icon or asset("icons", f"{command.icon}.svg").is_file()
    compile_clause(command.when)
    assert command.title == command.title.strip()
    assert not command.tooltip.endswith(".")


def test_ids_are_unique():
    assert len({command.id for command in ALL_COMMANDS}) == len(ALL_COMMANDS)


def test_own_keys_replace_the_defaults_and_clashes_are_found():
    registry = Registry(system="linux")
    registry.bind({"record.mark-state": ["Ctrl+K"], "gone.command": ["F1"]})
    assert registry.keys("record.mark-state") == ("Ctrl+K",)
    assert {clash.second for clash in registry.clashes()} == {"record.mark-state"}
    assert [one.id for one in registry.others_with("record.mark-state", "ctrl+k")] == ["view.palette"]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("shift+ctrl+p", "Ctrl+Shift+P"),
        ("m", "M"),
        ("Ctrl++", "Ctrl++"),
        ("?", "?"),
        ("F11", "F11"),
        ("", ""),
    ],
)
def test_one_chord_has_one_spelling(given, wanted):
    assert normalise(given) == wanted


def test_what_is_no_chord_is_refused():
    with pytest.raises(ValueError, match="not a shortcut"):
        normalise("Hyper+X")


def test_single_letters_are_typed_and_chords_are_not():
    assert is_typed("M")
    assert is_typed("Shift+?")
    assert is_typed("Del")
    assert not is_typed("Ctrl+K")
    assert not is_typed("F12")
