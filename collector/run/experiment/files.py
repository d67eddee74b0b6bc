"""Find, read and make the experiment files of a project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from collector.agents.kinds import AgentKind
from collector.located_yaml.diagnostics import Diagnostic
from collector.located_yaml.nearest_word import nearest
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.rules.grammar.rule_files import read_text
from collector.run.experiment.lint import lint
from collector.run.experiment.model import Experiment
from collector.run.experiment.reader import ExperimentFile, read_experiment
from collector.run.experiment.scope import ExperimentScope, scope_of
from collector.store.files.disk import Disk
from collector.store.files.layout import project_around
from collector.store.project.project import Project


class ExperimentError(UserError):
    """An experiment cannot be found, read, written or run."""


@dataclass(frozen=True)
class CheckedExperiment:
    """An experiment file of a project, with what the linter says of it."""

    path: Path
    file: ExperimentFile
    diagnostics: tuple[Diagnostic, ...]

    @property
    def experiment(self) -> Experiment:
        """What could be read."""
        return self.file.experiment

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """What keeps it from being run."""
        return tuple(item for item in self.diagnostics if item.severity == "error")

    def require(self) -> Experiment:
        """The experiment. Raises ExperimentError with the first thing that is wrong with it."""
        for item in self.errors[:1]:
            what = _("{file}, line {line}: {what}", file=self.path.name, line=item.place.line, what=item.what)
            raise ExperimentError(
                what, item.why, item.to_do or _("`waymark experiment check` shows everything")
            )
        return self.experiment


def find_experiment(project: Project | None, reference: str) -> Path:
    """The file of an experiment, named by its path or by its name in the project. Raises ExperimentError."""
    path = Path(reference)
    if path.is_file():
        return path
    if project is None:
        raise ExperimentError(
            _("There is no file {path}", path=reference), "", _("Name the file of an experiment")
        )
    if project.paths.experiment(reference).is_file():
        return project.paths.experiment(reference)
    raise not_there(project, reference)


def project_around_file(path: Path) -> Project | None:
    """The project that the file of an experiment lies in; None outside any. Raises StoreError."""
    around = project_around(path)
    return Project.open(around) if around is not None else None


def check_experiment(path: Path, scope: ExperimentScope, shown: str = "") -> CheckedExperiment:
    """Read and lint a file; ``shown`` is how diagnostics name it. Raises RuleError when it is no text."""
    file = read_experiment(read_text(path), scope, path.stem, shown or str(path))
    return CheckedExperiment(path, file, lint(file, scope))


def open_experiment(path: Path, project: Project, kinds: Mapping[str, AgentKind]) -> Experiment:
    """The experiment of a file, ready to be run in a project. Raises UserError with what is wrong."""
    return check_experiment(path, scope_of(project, kinds)).require()


def copy_experiment(project: Project, name: str, new_name: str) -> Path:
    """Write an experiment of a project again under another name, without results. Raises ExperimentError."""
    return new_experiment(project, new_name, read_text(find_experiment(project, name)))


def not_there(project: Project, name: str) -> ExperimentError:
    """That a project has no experiment of that name, with the nearest one."""
    known = [path.stem for path in project.paths.experiments()]
    near = nearest(name, known)
    if near:
        to_do = _("Did you mean {word}?", word=near)
    elif known:
        to_do = _("Name one of: {known}", known=", ".join(known))
    else:
        to_do = _("Make one with `waymark experiment new {name}`", name=name)
    return ExperimentError(_("The project has no experiment {name}", name=name), "", to_do)


def new_experiment(project: Project, name: str, text: str) -> Path:
    """Write a new experiment into a project. Raises ExperimentError when there is one of that name."""
    project.require_writable()
    path = project.paths.experiment(name)
    if path.exists():
        raise ExperimentError(
            _("The project has an experiment {name} already", name=name), "", _("Choose another name")
        )
    disk = Disk()
    disk.make_folder(path.parent)
    disk.write(path, text.encode())
    return path
