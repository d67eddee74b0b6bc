"""How chords are shown."""

from __future__ import annotations

import pytest

from studio.commands.commander import Commander
from studio.commands.keys import printed
from studio.commands.registry import Registry


@pytest.mark.parametrize(
    ("keys", "on_macos"),
    [
        ("Ctrl+Shift+P", "Cmd+Shift+P"),
        ("Meta+R", "Ctrl+R"),
        ("Alt+Left", "Option+Left"),
        ("Ctrl++", "Cmd++"),
        ("+", "+"),
        ("M", "M"),
        ("", ""),
    ],
)
def test_keys_of_macos_have_the_names_that_are_printed_on_them(
    monkeypatch: pytest.MonkeyPatch, keys: str, on_macos: str
) -> None:
    assert printed(keys) == keys
    monkeypatch.setattr("sys.platform", "darwin")
    assert printed(keys) == on_macos


def test_menus_and_tooltips_of_macos_name_the_command_key(monkeypatch: pytest.MonkeyPatch) -> None:
    commander = Commander(Registry(system="macos"))
    assert commander.shown_keys("view.palette") == "Ctrl+K"
    monkeypatch.setattr("sys.platform", "darwin")
    assert commander.shown_keys("view.palette") == "Cmd+K"
    assert commander.tip("view.palette").endswith("(Cmd+K, Cmd+P)")
