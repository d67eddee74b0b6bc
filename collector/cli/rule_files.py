"""Read what the verbs of ``waymark rules`` are given: rule files, projects, dumps and trajectories."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from collector.hierarchy.parse import parse_tree
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.rules.backtest.backtest import BackTest
from collector.rules.backtest.corpus import Corpus
from collector.rules.evaluation.image_matching import ImageFiles
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.model import STATE, Rule
from collector.rules.lint.rule_files import read_rule_text, rules_in
from collector.store.layout import is_trajectory
from collector.store.layout import project_around as folder_of_project
from collector.store.project import Project
from collector.store.reader import open_trajectory

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


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


@dataclass(frozen=True)
class ProjectRules:
    """A project and the rule files in it."""

    project: Project

    @classmethod
    def open(cls, folder: Path) -> ProjectRules:
        return cls(Project.open(folder))

    @property
    def paths(self) -> list[Path]:
        """Its rule files, in order of name."""
        return self.project.paths.rule_files()

    @property
    def tasks_path(self) -> Path | None:
        return _there(self.project.paths.tasks)

    @property
    def library_path(self) -> Path | None:
        return _there(self.project.paths.library)

    def rules(self) -> list[Rule]:
        """Every rule of every file."""
        return rules_in(self.paths)

    def back_test(self, semantics: str, rules: list[Rule] | None = None) -> BackTest:
        """A back-test on everything the project has recorded."""
        known = rules if rules is not None else self.rules()
        states = [rule for rule in known if rule.kind == STATE]
        corpus = Corpus(self.project.open_trajectories(), tasks=self.project.tasks, states=states)
        return BackTest(corpus, semantics, ImageFiles(self.project.folder))


def corpus_on(on: Path) -> Corpus:
    """The state of a dump, or the states of a trajectory's folder. Raises UserError when it is neither."""
    if on.is_dir():
        if not is_trajectory(on):
            raise RuleError(
                _("There is no trajectory in {path}", path=on), "", _("Name its folder, or a dump")
            )
        own = project_around(on)
        states = [rule for rule in own.rules() if rule.kind == STATE] if own is not None else []
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


def project_around(folder: Path) -> ProjectRules | None:
    """The project a trajectory lies in, whose essential states ``state_reached`` speaks of."""
    around = folder_of_project(folder)
    return ProjectRules.open(around) if around is not None else None


def _there(path: Path) -> Path | None:
    return path if path.is_file() else None
