"""An option means the same in all verbs, and an idea has one option."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import click

from collector.cli.main import waymark

SEVERAL_HELPS = {
    "--agent": "an agent of an experiment: one that it has, or one to make it with",
    "--all": "all of what the verb is about",
    "--dry-run": "says what would be done; each verb says what it leaves out",
    "--experiment": "an experiment: the one that has the agent, or those that are counted",
    "--format": "the format of what is written, by default another in each verb",
    "--golden": "golden trajectories by their ids: one's own, or two to compare",
    "--judge": "judges by name: to count, to show, or to ask now",
    "--language": "a language: of anomalies, or of the program",
    "--name": "the name of what is made",
    "--of": "the person whose work is meant",
    "--on": "the screen to look at; only `rules test` takes a whole trajectory",
    "--package": "an app by its package",
    "--project": "the project, which some verbs can do without",
    "--rule": "rules by their ids",
    "--seed": "fixes what is random in the verb",
    "--semantics": "how rules are read; a new project declares it",
    "--state": "an essential state by id or number; `review submit` labels several",
    "--step": "a step by its number, from 0",
    "--task": "tasks by their ids",
    "--text": "texts of redacted steps; of several tasks with the task's id",
    "--theme": "dark or light: of what is written, or of the window",
    "--timing": "the time of recorded steps: as recorded, or fixed",
    "--trajectory": "one trajectory, of all that the verb is about",
    "--trust": "trusts what was not trusted yet without a question; each verb says what",
    "--verdict": "a verdict; each verb has its own ones",
    "--wait": "seconds to wait for something; each verb says for what",
    "--where": "a query; only `experiment new` selects tasks with it",
    "--yes": "answers the question of the verb",
}
"""Options whose help differs between verbs, and what they mean in all of them."""
SYNONYMS = {
    "--author": "--as", "--person": "--as", "--reviewer": "--as", "--user": "--as", "--who": "--as or --for",
    "--folder": "--project", "--into": "--project",
    "--filter-trajectories": "--where", "--query": "--where", "--trajectories": "--where",
    "--overwrite": "--replace",
    "--note-step": "--step", "--at-step": "--step",
    "--patience": "--wait", "--timeout": "--wait", "--within": "--wait",
    "--delay": "--pause or --hold", "--seconds": "--wait or --pause",
    "--explanation": "--comment", "--message": "--comment", "--why": "--comment",
    "--id": "the word for the thing", "--out": "--output",
    "--serials": "--device or --devices", "--steps": "--max-steps",
}  # fmt: skip
"""Names that options do not have -> the name of that idea."""


def options(command: click.Command = waymark, path: str = "") -> Iterator[tuple[str, click.Option]]:
    """Every option of every verb, with the verb's name."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from options(child, f"{path} {name}".strip())
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield path, parameter


def test_an_option_has_one_meaning() -> None:
    helps: dict[str, dict[str, str]] = defaultdict(dict)
    for verb, option in options():
        for name in option.opts:
            helps[name].setdefault(option.help or "", verb)
    several = {name: verbs for name, verbs in helps.items() if len(verbs) > 1}
    assert len(helps) > 100
    assert {name: verbs for name, verbs in several.items() if name not in SEVERAL_HELPS} == {}
    assert sorted(set(SEVERAL_HELPS) - set(several)) == [], "their help is one now: take them from the list"


def test_an_idea_has_one_option() -> None:
    named = [(verb, name) for verb, option in options() for name in (*option.opts, *option.secondary_opts)]
    assert [f"{verb} {name}: use {SYNONYMS[name]}" for verb, name in named if name in SYNONYMS] == []


def test_every_option_says_what_it_is() -> None:
    assert [f"{verb} {option.opts[0]}" for verb, option in options() if not option.help] == []


PROGRAMS = {"demo", "device virtual", "rules edit", "studio", "states export"}
"""Verbs that run until they are ended, or whose output is a file."""


def test_every_verb_that_prints_facts_prints_them_as_json() -> None:
    takes: dict[str, set[str]] = defaultdict(set)
    for verb, option in options():
        takes[verb].update(option.opts)
    without = {verb for verb, names in takes.items() if verb and "--json" not in names}
    assert without <= PROGRAMS, without - PROGRAMS
