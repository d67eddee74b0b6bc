"""Verbs are imported when they are called, and a broken plug-in leaves the others alone."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys

import click
import pytest

from collector.cli.verb_groups import PLUGINS, VERB_GROUPS, WaymarkGroup
from collector.model.trajectory import TrajectoryHeader
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project


def test_every_group_has_its_verbs():
    group = WaymarkGroup("waymark")
    context = click.Context(group)
    assert {*VERB_GROUPS} <= {*group.list_commands(context)}
    rules = group.get_command(context, "rules")
    assert isinstance(rules, click.Group)
    assert {"check", "test", "follow", "edit"} <= {*rules.list_commands(context)}
    within = click.Context(rules, parent=click.Context(WaymarkGroup("waymark")))
    assert rules.get_command(within, "edit") is not None
    assert rules.get_command(within, "nothing") is None
    assert group.get_command(context, "nothing") is None


def test_the_help_lists_every_group_as_the_group_describes_itself():
    group = WaymarkGroup("waymark")
    context = click.Context(group)
    listing = group.get_help(context)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        shown = command.get_short_help_str(20).removesuffix("...")
        assert f"{name} " in listing
        assert shown in listing


@pytest.mark.parametrize("group", VERB_GROUPS.values(), ids=str)
def test_the_table_names_the_module_of_every_verb(group):
    """What `--help` lists exists, and a module registers no verb that the table lacks."""
    context = click.Context(group)
    listed = group.list_commands(context)
    assert [name for name in listed if group.get_command(context, name) is None] == []
    assert group.list_commands(context) == listed


HEAVY = (
    "numpy", "cv2", "PIL", "PySide6", "lxml", "sqlite_utils",
    "collector.anomalies", "collector.exchange", "collector.device",
)  # fmt: skip
OF_PROJECTS = (
    "yaml",
    "sqlite3",
    "importlib.metadata",
    "collector.store.project.project",
    "collector.store.checks.check",
)
_LISTING = """
import sys
from collector.cli.main import main
main([*sys.argv[2:], "--json"])
print(*[name for name in sys.argv[1].split(",") if name in sys.modules], file=sys.stderr)
"""


@pytest.mark.parametrize(
    "verb", [("project", "list"), ("trajectory", "list", "--project"), ("project", "index")]
)
def test_a_listing_imports_nothing_heavy(tmp_path, verb):
    """A listing is a fresh process each time: what it imports, a person waits for."""
    project = Project.create(tmp_path / "p")
    folder = project.folder
    Catalogue(project).close()  # a first listing creates it, and needs more
    output, heavy = listing(*verb, folder)
    assert '"project": "p"' in output
    assert heavy == []


def test_to_show_a_trajectory_nothing_of_the_rest_of_the_project_is_loaded(tmp_path):
    project = Project.create(tmp_path / "p")
    project.new_trajectory(TrajectoryHeader("t", "one")).close()
    output, heavy = listing("trajectory", "show", "t", "--project", project.folder)
    assert '"task": "one"' in output
    assert heavy == []


def listing(*arguments: object) -> tuple[str, list[str]]:
    """What a verb prints in a process of its own, and which heavy modules it imported."""
    heavy = HEAVY + (OF_PROJECTS if "show" in arguments else ())
    command = [sys.executable, "-c", _LISTING, ",".join(heavy), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout, done.stderr.split()


def broken(_group: click.Group) -> None:
    raise RuntimeError("no such library")


@pytest.mark.expected_log("was left out")
def test_a_broken_plug_in_is_reported_in_a_sentence(monkeypatch, capsys):
    plugin = importlib.metadata.EntryPoint("extra", f"{__name__}:broken", PLUGINS)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [plugin])
    group = WaymarkGroup("waymark")
    assert group.get_command(click.Context(group), "project") is not None
    assert capsys.readouterr().err == ""
    assert group.get_command(click.Context(group), "extra") is None
    assert "The plug-in extra was left out: RuntimeError: no such library" in capsys.readouterr().err
