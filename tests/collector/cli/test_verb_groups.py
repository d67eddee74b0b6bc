"""Verbs are imported when they are called, and a broken plug-in leaves the others alone."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys

import click
import pytest

from collector.cli.verb_groups import PLUGINS, VERB_GROUPS, LazyGroup

_SCRIPT = """
import sys
from collector.cli.main import main
main(["--version"])
loaded = [name for name in sys.modules if name.startswith("collector.") or name in ("numpy", "PySide6")]
print(*sorted(loaded))
"""


def test_the_version_imports_no_verb():
    done = subprocess.run([sys.executable, "-c", _SCRIPT], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "numpy" not in loaded
    assert not [name for name in loaded if name.startswith(("collector.store", "collector.rules"))]


def test_every_group_has_its_verbs():
    group = LazyGroup("waymark")
    context = click.Context(group)
    assert {*VERB_GROUPS} <= {*group.list_commands(context)}
    rules = group.get_command(context, "rules")
    assert isinstance(rules, click.Group)
    assert {"check", "test", "follow", "edit"} <= {*rules.commands}
    assert group.get_command(context, "nothing") is None


def broken(_group: click.Group) -> None:
    raise RuntimeError("no such library")


@pytest.mark.expected_log("was left out")
def test_a_broken_plug_in_is_reported_in_a_sentence(monkeypatch, capsys):
    plugin = importlib.metadata.EntryPoint("extra", f"{__name__}:broken", PLUGINS)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [plugin])
    group = LazyGroup("waymark")
    assert group.get_command(click.Context(group), "project") is not None
    assert "The plug-in extra was left out: no such library" in capsys.readouterr().err
