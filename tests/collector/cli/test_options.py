"""An option means the same in all verbs, and an idea has one option."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from babel.messages.pofile import read_po

from collector.cli.main import main, waymark
from collector.cli.shared_options import RenamedOption
from collector.cli.step_numbers import StepNumber
from collector.model.dataset.split import Split
from collector.model.seeds import DEFAULT_SEED
from collector.model.text.step_place import step_index, step_place
from collector.run.experiment.keys import VARIATION_CHOICE, key_of
from collector.virtual.system.phone_state.profile import PhoneProfile
from tests.helpers.scripts import ROOT

SEVERAL_HELPS = {
    "--again": "what is finished is done again: what changed, all, or of episodes what failed",
    "--agent": "an agent of an experiment: one that it has, or one to make it with",
    "--all": "all of what the verb is about",
    "--answer": "an answer: to dialogs, or to the task",
    "--app": "apps: to install, or of a task",
    "--category": "a category: of anomalies, or of a task",
    "--dry-run": "says what would be done; each verb says what it leaves out",
    "--experiment": "an experiment: the one that has the agent, or those that are counted",
    "--force": "does it all the same: replaces what is there, or fires a rule that does not hold",
    "--format": "the format of what is written, by default another in each verb",
    "--from": "where it begins: at a step, or from trajectories",
    "--golden": "golden trajectories by their ids: one's own, or two to compare",
    "--judge": "judges by name: to count, to show, or to ask now",
    "--kind": "a kind of the thing that the verb is about",
    "--language": "a language: of anomalies, or of the program",
    "--max-steps": "steps of an episode at most",
    "--name": "the name of what is made",
    "--note": "a remark for people",
    "--of": "the person whose work is meant",
    "--on": "the screen to look at; only `rules test` takes a whole trajectory",
    "--only": "what is meant of all: findings by their codes, or suggestions",
    "--package": "an app by its package",
    "--project": "the project, which some verbs can do without",
    "--rule": "rules by their ids",
    "--seed": "fixes what is random in the verb",
    "--semantics": "how rules are read; a new project declares it",
    "--snapshot": "a snapshot: of an image to start from, or of the step where an agent begins",
    "--state": "an essential state by id or number; `review submit` labels several",
    "--step": "a step by its number, from 1",
    "--task": "tasks by their ids",
    "--text": "texts of redacted steps; of several tasks with the task's id",
    "--theme": "dark or light: of what is written, or of the window",
    "--timing": "the time of recorded steps: as recorded, or fixed",
    "--title": "the title of what is made",
    "--trajectory": "one trajectory, of all that the verb is about",
    "--verdict": "a verdict; each verb has its own ones",
    "--wait": "seconds to wait for something; each verb says for what",
    "--where": "a query; only `experiment new` selects tasks with it",
    "--yes": "answers the question of the verb: each says to what",
}
"""Options whose help differs between verbs, and what they mean in all of them."""
SYNONYMS = {
    "--author": "--as", "--person": "--as", "--reviewer": "--as", "--user": "--as", "--who": "--as or --for",
    "--folder": "--project", "--into": "--project",
    "--filter": "--where", "--filter-trajectories": "--where", "--query": "--where",
    "--trajectories": "--where",
    "--overwrite": "--force", "--replace": "--force",
    "--note-step": "--step", "--at-step": "--step",
    "--patience": "--wait", "--timeout": "--wait", "--within": "--wait",
    "--delay": "--pause or --hold", "--seconds": "--wait or --pause",
    "--comment": "--because", "--explanation": "--because", "--why": "--because",
    "--trust": "--yes", "--confirmed": "--yes",
    "--id": "the word for the thing", "--out": "--output",
    "--serials": "--device or --devices", "--steps": "--max-steps",
}  # fmt: skip
"""Names that options do not have -> the name of that idea."""


def verbs(command: click.Command = waymark, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every verb with its name, also the groups."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from verbs(child, f"{path} {name}".strip())


def options(command: click.Command = waymark, path: str = "") -> Iterator[tuple[str, click.Option]]:
    """Every option of every verb, with the verb's name."""
    for verb, each in verbs(command, path):
        for parameter in each.params:
            if isinstance(parameter, click.Option):
                yield verb, parameter


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


STEPS = {"--step", "--slot", "--from", "step", "slot"}
"""Options and arguments that name a step or a slot."""
NAME_NO_STEP = {("device virtual", "--from")}
"""These begin with trajectories instead."""
NAMES_AN_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
OF_OTHERS = {"--help", "--address", "--head", "--resources"}
"""Options that every verb has, or that belong to other programs that messages name."""


def test_steps_and_slots_are_typed_as_people_count_them() -> None:
    """An index would be off by one from what `show`, `align` and the window print."""
    for path, command in verbs():
        for parameter in command.params:
            names = {*parameter.opts, *parameter.secondary_opts}
            if STEPS & names and (path, parameter.opts[0]) not in NAME_NO_STEP:
                assert isinstance(parameter.type, StepNumber), f"{path} {parameter.opts[0]}"
    assert step_index("1") == 0
    assert step_place("a@b@3") == ("a@b", 2)
    assert [step_place(text) for text in ("a", "@3", "a@0", "a@x", "a@")] == [None] * 5
    assert step_index("0") is None


def test_messages_name_options_that_exist() -> None:
    known = {name for _verb, option in options() for name in (*option.opts, *option.secondary_opts)}
    po = ROOT / "assets/translations/zh_CN/LC_MESSAGES/waymark.po"
    catalog = read_po(io.BytesIO(po.read_bytes()))
    wrong = [
        (name, text)
        for message in catalog
        for text in ([message.id] if isinstance(message.id, str) else message.id)
        for name in NAMES_AN_OPTION.findall(text)
        if name not in known | OF_OTHERS
    ]
    assert wrong == []


def test_an_option_is_understood_under_its_name_of_the_version_before(tmp_path: Path) -> None:
    former = {option.formerly: option for _verb, option in options() if isinstance(option, RenamedOption)}
    assert set(former) == {
        "--comment", "--critical-comment", "--filter", "--replace", "--trust", "--visual-comment",
    }  # fmt: skip
    assert main(["project", "new", str(tmp_path / "p")]) == 0
    queue = ["review", "queue", "new", "mine", "--project", str(tmp_path / "p")]
    assert [main(queue), main(queue), main([*queue, "--replace"])] == [0, 1, 0]


def test_a_project_is_named_by_the_option_or_as_the_subject(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = str(tmp_path / "p")
    assert main(["project", "new", "--project", place]) == 0
    for words in (["project", "list", place], ["project", "list", "--project", place]):
        assert main(words) == 0
    assert main(["project", "list", place, "--project", place]) == 2
    assert "Name the project once" in capsys.readouterr().err
    assert main(["experiment", "list", place]) == 0
    positional = {path for path, command in verbs() if any(each.name == "place" for each in command.params)}
    takes = {verb for verb, option in options() if "--project" in option.opts}
    assert positional <= takes
    alone = {path for path, command in verbs() if path in takes and not arguments_of(command)}
    assert alone == {"device virtual", "rules suggest"}, "a project that is the subject may be positional"


def arguments_of(command: click.Command) -> list[click.Parameter]:
    return [each for each in command.params if isinstance(each, click.Argument)]


ONE_OR_MORE_PHONES = {
    "device reset", "device fleet reset", "device fleet start", "experiment new", "trajectory replay",
}  # fmt: skip
"""Verbs whose seeds are those that the phones, the experiment or the recording have."""


def test_a_seed_has_one_default() -> None:
    seeds = {verb: option for verb, option in options() if "--seed" in option.opts}
    given = {option.default for verb, option in seeds.items() if verb not in ONE_OR_MORE_PHONES}
    assert given == {DEFAULT_SEED}
    assert Split({}).seed == PhoneProfile().seed == key_of(VARIATION_CHOICE, "seed").default == DEFAULT_SEED


PROGRAMS = {"demo", "device virtual", "mcp", "rules edit", "studio", "states export"}
"""Verbs that run until they are ended, or whose output is a file."""


def test_every_verb_that_prints_facts_prints_them_as_json() -> None:
    takes: dict[str, set[str]] = defaultdict(set)
    for verb, option in options():
        takes[verb].update(option.opts)
    without = {verb for verb, names in takes.items() if verb and "--json" not in names}
    assert without <= PROGRAMS, without - PROGRAMS
