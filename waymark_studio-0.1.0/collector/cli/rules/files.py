"""Read what the verbs of ``waymark rules`` are given: a rule of a file, dumps and trajectories."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from collector.cli.output import say
from collector.cli.trajectory.reference import require_visible
from collector.hierarchy.parse import parse_tree
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.project_rules.project_rules import ProjectRules
from collector.project_rules.recording_choice import RecordingChoice, choose_recordings
from collector.rules.columns.corpus import Corpus
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.model import SEMANTICS, STATE, Rule
from collector.rules.grammar.rule_files import read_rule_text
from collector.states.work_files.blindness import visible_trajectories
from collector.store.files.layout import is_trajectory
from collector.store.trajectory.reader import open_trajectory

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)

library_option = click.option(
    "--library", type=FILE, help="A file of anomalies, instead of the library that is read by default."
)
semantics_option = click.option(
    "--semantics",
    type=click.Choice(SEMANTICS),
    help="How to read the rules; by default as their project says, or as waymark.",
)


def chosen_recordings(own: ProjectRules, query: str) -> RecordingChoice:
    """The trajectories to try rules on; says how many runs are left out. Raises QueryError."""
    choice = choose_recordings(own.project, query)
    if choice.runs_left_out:
        say(
            ngettext(
                "{count} run is left out; choose with --where",
                "{count} runs are left out; choose with --where",
                choice.runs_left_out,
            ),
            err=True,
        )
    return choice


def visible_corpus(own: ProjectRules, rules: Iterable[Rule] | None, query: str, who: str) -> Corpus:
    """What a project recorded, as a query chooses it and ``who`` may see it. Raises QueryError."""
    is_visible = visible_trajectories(own.project, who)
    return own.corpus(rules, choice=chosen_recordings(own, query), is_visible=is_visible)


def rule_of(path: Path, rule_id: str) -> Rule:
    """One rule of a file. Raises RuleError when there is none of that id."""
    file = read_rule_text(path).file
    rule = file.rule(rule_id)
    if rule is None:
        known = ", ".join(rule.id for rule in file.rules[:10] if rule.id) or _("none that can be read")
        raise RuleError(
            _("{path} has no rule {id}", path=path, id=rule_id), "", _("Its rules are: {known}", known=known)
        )
    return rule


def corpus_on(on: Path, who: str) -> Corpus:
    """The state of a dump, or the states of a trajectory's folder that ``who`` may see.

    Raises UserError when it is neither, or not to be seen.

    ``state_reached`` refers to the essential states of the project the trajectory lies in.
    """
    if on.is_dir():
        if not is_trajectory(on):
            raise RuleError(
                _("There is no trajectory in {path}", path=on), "", _("Name its folder, or a dump")
            )
        require_visible(on, who)
        project = ProjectRules.around(on)
        states = [rule for rule in project.rules() if rule.kind == STATE] if project is not None else []
        return Corpus([open_trajectory(on)], states=states)
    corpus = Corpus.of_files([on])
    if corpus.view(0).tree is None:
        raise RuleError(
            _("{path} is no dump of a screen", path=on),
            _unreadable(on),
            _("Name a file as `uiautomator dump` writes it"),
        )
    return corpus


def _unreadable(dump: Path) -> str:
    """Why no tree can be read from a file."""
    try:
        parse_tree(dump.read_bytes())
    except UserError as error:
        return str(error)
    return ""
