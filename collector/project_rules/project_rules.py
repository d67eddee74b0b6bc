"""A project's rules and recordings together: the rules of its files, its corpus and its back-tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from collector.located_yaml.codes import CODES
from collector.located_yaml.diagnostics import Diagnostic, Severity
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.project_rules.recording_choice import RecordingChoice, choose_recordings
from collector.project_rules.reopened_trajectories import OpenTrajectories
from collector.rules.backtest.backtest import BackTest
from collector.rules.backtest.verdict_table import Progress
from collector.rules.columns.corpus import Corpus
from collector.rules.columns.dump_cache import DumpCache
from collector.rules.columns.dump_columns import DumpColumns
from collector.rules.evaluation.image_matching import ImageFiles
from collector.rules.grammar.model import STATE, Rule
from collector.rules.grammar.rule_files import read_rule_text, rules_in
from collector.store.files.layout import project_around
from collector.store.project.project import Project
from collector.store.tasks.task_values import recorded_values

_NO_YAML = CODES["yaml-syntax"].code


@dataclass(frozen=True)
class ProjectRules:
    """A project seen as rules and the recordings to try them on; nothing is read before it is asked for."""

    project: Project

    @classmethod
    def open(cls, folder: Path) -> ProjectRules:
        """The rules of the project in ``folder``. Raises NotFound, Damaged or FromTheFuture."""
        return cls(Project.open(folder))

    @classmethod
    def around(cls, path: Path) -> ProjectRules | None:
        """The rules of the project that ``path`` lies in; None outside any project."""
        folder = project_around(path)
        return cls.open(folder) if folder is not None else None

    # Files

    @property
    def paths(self) -> list[Path]:
        """The rule files, in order of name."""
        return self.project.paths.rule_files()

    @property
    def tasks_path(self) -> Path | None:
        """The file of tasks; None when there is none."""
        return _existing(self.project.paths.tasks)

    @property
    def library_path(self) -> Path | None:
        """The anomaly library of the project; None when there is none."""
        return _existing(self.project.paths.library)

    def rules(self) -> list[Rule]:
        """Every rule of every file. Raises RuleError when a file cannot be read."""
        return rules_in(self.paths)

    def errors(self) -> list[Diagnostic]:
        """The first error of each rule file that has any: rules or conditions of it are not read.

        Raises RuleError when a file cannot be read at all.
        """
        files = (read_rule_text(path).file for path in self.paths)
        errors = ([item for item in file.diagnostics if item.severity is Severity.ERROR] for file in files)
        return [found[0] for found in errors if found]

    def require_readable(self) -> None:
        """Raise UserError for a file of rules of which nothing can be read: verdicts would be wrong."""
        for error in self.errors():
            if error.code == _NO_YAML:
                raise UserError(
                    _("{where}: {what}", where=f"{error.path}:{error.place.line}", what=error.what),
                    _("Without its rules the verdicts would be wrong"),
                    _("Correct the line, and judge again"),
                )

    # Back-tests

    @property
    def images(self) -> ImageFiles:
        """The images that conditions of the project name."""
        return ImageFiles(self.project.folder)

    def corpus(
        self, rules: Iterable[Rule] | None = None, tasks: Iterable[Task] | None = None,
        choice: RecordingChoice | None = None, is_visible: Callable[[TrajectoryHeader], bool] | None = None,
    ) -> Corpus:  # fmt: skip
        """The recorded states of the trajectories of ``choice``, by default of ``choose_recordings``.

        ``rules`` and ``tasks`` replace those on the disk, for an editor with unsaved changes. Of the rules
        only the essential states count. ``is_visible`` leaves out what a person may not see.
        """
        known = self.rules() if rules is None else rules
        chosen = choose_recordings(self.project) if choice is None else choice
        stored, opened = self.project.open_trajectories(folders=chosen.folders), OpenTrajectories()
        return Corpus(
            (opened.keep(item) for item in stored if is_visible is None or is_visible(item.header)),
            tasks=self.project.tasks if tasks is None else tasks,
            states=[rule for rule in known if rule.kind == STATE],
            values=recorded_values,
        )

    def back_test(self, semantics: str, corpus: Corpus | None = None) -> BackTest:
        """A back-test on the project's recordings; ``corpus`` is used when it was read before."""
        return BackTest(self.corpus() if corpus is None else corpus, semantics, self.images)

    def prepared_back_test(
        self, semantics: str, corpus: Corpus, progress: Progress, cancelled: Callable[[], bool]
    ) -> BackTest:
        """A back-test with all dumps read, through the project's cache, so that each run is fast.

        Raises Cancelled when ``cancelled`` returns True.
        """
        with DumpCache(self.project.paths.dump_cache) as cache:
            test = BackTest(corpus, semantics, self.images, DumpColumns(cache))
            test.prepare(progress, cancelled)
        return test


def _existing(path: Path) -> Path | None:
    return path if path.is_file() else None
