"""Verbs are imported when they are called, and a broken plug-in leaves the others alone."""

from __future__ import annotations

import importlib.metadata

import click
import pytest

from collector.cli.verb_groups import PLUGINS, VERB_GROUPS, LazyGroup


def test_every_group_has_its_verbs():
    group = LazyGroup("waymark")
    context = click.Context(group)
    assert {*VERB_GROUPS} <= {*group.list_commands(context)}
    rules = group.get_command(context, "rules")
    assert isinstance(rules, click.Group)
    assert {"check", "test", "follow", "edit"} <= {*rules.commands}
    assert group.get_command(context, "nothing") is None


def test_the_help_lists_every_group_as_the_group_describes_itself():
    group = LazyGroup("waymark")
    context = click.Context(group)
    listing = group.get_help(context)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        shown = command.get_short_help_str(20).removesuffix("...")
        assert f"{name} " in listing
        assert shown in listing


def broken(_group: click.Group) -> None:
    raise RuntimeError("no such library")


@pytest.mark.expected_log("was left out")
def test_a_broken_plug_in_is_reported_in_a_sentence(monkeypatch, capsys):
    plugin = importlib.metadata.EntryPoint("extra", f"{__name__}:broken", PLUGINS)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [plugin])
    group = LazyGroup("waymark")
    assert group.get_command(click.Context(group), "project") is not None
    assert "The plug-in extra was left out: no such library" in capsys.readouterr().err
