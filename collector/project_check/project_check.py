"""Check every file of a project at once, for the window and the command line. Nothing is changed.

:mod:`collector.store.checks.check` checks recordings and tasks, the linters check rules, the anomaly library
and experiments, and every other YAML or JSON file must at least be readable.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from collector.agents.registry import agent_kinds
from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.check import check_library
from collector.anomalies.reader import read_library
from collector.exchange.exports.export_staging import interrupted_exports
from collector.located_yaml.codes import CODES
from collector.located_yaml.diagnostics import Diagnostic, Severity
from collector.located_yaml.source import read_source
from collector.model.errors import UserError
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.project_check.broken_files import broken_files, marked_trajectory, without_what_follows
from collector.project_check.judge_findings import check_judges
from collector.project_check.task_word_findings import check_parameters, check_replies
from collector.project_rules.project_rules import ProjectRules
from collector.redaction_rules.rule_file import read_redaction
from collector.review.queue_check import check_queues
from collector.rules.conditions.image_matches import ImageMatches
from collector.rules.evaluation.image_matching import ImageFiles
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.rule_files import read_text
from collector.rules.grammar.rule_text import RuleText, rule_text
from collector.rules.lint.indexes import AnomalyIndex, TaskIndex
from collector.rules.lint.rule_linter import RuleLinter
from collector.run.experiment.files import check_experiment
from collector.run.experiment.scope import ExperimentScope, scope_of
from collector.states.work_files.work_check import check_state_work
from collector.store.checks.check import check_project
from collector.store.checks.unchanged import UnchangedTrajectories
from collector.store.files.findings import ERROR, WARNING
from collector.store.files.layout import CACHE, TRAJECTORIES, kind_of_rule_file
from collector.store.project.project import Project
from collector.store.trajectory.trajectory_files import read_document
from collector.variations.registry import Variations

_SEVERITIES = {Severity.ERROR: ERROR, Severity.WARNING: WARNING}
_YAML, _JSON = (".yaml", ".yml"), (".json",)
_DATA = (*_YAML, *_JSON)
_UNREADABLE = CODES["unreadable-file"].code
"""Of rules and anomalies that an experiment needs: they have findings of their own."""
_DAMAGED = ("header-damaged", "steps-damaged", "lines-damaged", "annotation-damaged", "judgement-damaged")
"""Codes of files of a trajectory that cannot be read."""


def check_every_file(
    project: Project, progress: Callable[[Path], None] | None = None,
    memory: UnchangedTrajectories | None = None,
) -> list[Finding]:  # fmt: skip
    """Check all files of a project. ``progress`` is called with the folder of each trajectory behind it.

    With a ``memory`` the trajectories that did not change since they were in order are not read again.
    """
    data_files = list(_data_files(project.folder))
    broken = broken_files(project, data_files)
    goldens = Counter[str]()
    of_files = check_project(project, progress, notices=True, memory=memory, goldens=goldens)
    recorded = list(_with_marks(project, of_files))
    if broken:
        return [*broken, *without_what_follows(recorded)]
    findings = [*recorded, *check_replies(project), *check_parameters(project), *check_state_work(project)]
    checked = {finding.where for finding in findings}
    findings += _check_rules_and_library(project)
    findings += _check_experiments(project, goldens)
    findings += check_judges(project)
    findings += _check_variations(project)
    findings += _check_redaction(project)
    findings += check_queues(project)
    findings += map(_interrupted, interrupted_exports(project))
    paths = project.paths
    named = {
        paths.settings,
        paths.tasks,
        paths.library,
        paths.redaction,
        *paths.rule_files(),
        *paths.experiments(),
        *paths.judges(),
        *paths.rubrics(),
        *paths.variations(),
        *paths.review_queues(),
    }
    findings += (
        finding
        for path in data_files
        if path not in named and (finding := _unreadable(project, path)) is not None
        if finding.where not in checked
    )
    return findings


def _interrupted(folder: Path) -> Finding:
    return Finding(
        "export-interrupted",
        WARNING,
        _("An export was interrupted"),
        _("what it wrote is in the hidden folder {folder}", folder=folder),
        _("Export it again in the same way to go on, or delete the folder"),
    )


def _with_marks(project: Project, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings about recordings; of a trajectory that a merge left in two versions only its marks."""
    marked: dict[str, list[Finding]] = {}
    for finding in findings:
        where = "/".join(finding.where.split("/")[:3])
        if finding.code in _DAMAGED and where not in marked:
            marked[where] = marked_trajectory(project, project.folder / where)
            yield from marked[where]
        if not marked.get(where):
            yield finding


def _check_rules_and_library(project: Project) -> Iterator[Finding]:
    """The diagnostics of the rule files and of the library, as their own verbs give them."""
    rules = ProjectRules(project)
    texts, problems = read_rule_texts(project)
    yield from problems
    library, diagnostics = None, list[Diagnostic]()
    if rules.library_path is None:
        library = AnomalySource(project).installed_index()
    else:
        try:
            text = read_text(rules.library_path)
        except UserError as error:
            yield _unread(project, rules.library_path, error)
        else:
            name = project.paths.relative(rules.library_path)
            library = AnomalyIndex.read(text, name)
            diagnostics += check_library(read_library(text, name))
    tasks = _task_index(project)
    known = {(diagnostic.path, diagnostic.code, diagnostic.place) for diagnostic in diagnostics}
    linter = RuleLinter(texts, tasks, library, semantics=project.semantics, has_every_file=True)
    for diagnostic in linter.diagnostics():
        if (diagnostic.path, diagnostic.code, diagnostic.place) not in known:
            diagnostics.append(diagnostic)
    yield from filter(None, map(finding_of, diagnostics))
    yield from _check_images(project, texts)


def read_rule_texts(project: Project) -> tuple[list[RuleText], list[Finding]]:
    """The rule files of a project that can be read, and findings about the others."""
    texts, problems = [], []
    for path in ProjectRules(project).paths:
        try:
            texts.append(_rule_text(project, path))
        except UserError as error:
            problems.append(_unread(project, path, error))
    return texts, problems


def _check_images(project: Project, texts: Iterable[RuleText]) -> Iterator[Finding]:
    """The images that conditions name and that cannot be decoded: these conditions never hold."""
    images = ImageFiles(project.folder)
    for text in texts:
        conditions = (condition for rule in text.file.rules for condition in rule.conditions.walk())
        for condition in conditions:
            if isinstance(condition, ImageMatches):
                try:
                    images.load(condition.image)
                except RuleError as error:
                    where = f"{text.file.path}:{condition.place.line}"
                    yield Finding("image-unreadable", WARNING, str(error), where=where)


def _check_experiments(project: Project, goldens: Mapping[str, int]) -> Iterator[Finding]:
    """The diagnostics of every experiment, as `waymark experiment check` gives them.

    ``goldens`` were counted with the trajectories: the index, which is made of all of them, is not needed.
    """
    paths = project.paths.experiments()
    scope = scope_of(project, agent_kinds().kinds) if paths else ExperimentScope()
    scope = replace(scope, golden_counts=lambda: goldens)
    for path in paths:
        try:
            checked = check_experiment(path, scope, project.paths.relative(path))
        except UserError as error:
            yield _unread(project, path, error)
        else:
            own = (item for item in checked.diagnostics if item.code != _UNREADABLE)
            yield from filter(None, map(finding_of, own))


def _check_variations(project: Project) -> Iterator[Finding]:
    """The diagnostics of every variation, as `waymark variations check` gives them."""
    variations = Variations(project.folder)
    yield from filter(None, map(finding_of, variations.misnamed))
    for path in project.paths.variations():
        yield from filter(None, map(finding_of, variations.diagnostics(path.stem)))


def _check_redaction(project: Project) -> Iterator[Finding]:
    """The diagnostics of the rules of redaction."""
    path = project.paths.redaction
    if not path.is_file():
        return
    try:
        text = read_text(path)
    except UserError as error:
        yield _unread(project, path, error)
        return
    yield from filter(None, map(finding_of, read_redaction(text, path.name).diagnostics))


def _task_index(project: Project) -> TaskIndex | None:
    """The names in the tasks; states that an upgrade of their file adds are as good as written."""
    if not project.tasks:
        return None
    return TaskIndex.of_tasks(project.tasks, (state.id for state in project.new_states))


def _rule_text(project: Project, path: Path) -> RuleText:
    name = project.paths.relative(path)
    return rule_text(read_text(path), name, kind_of_rule_file(name))


def finding_of(diagnostic: Diagnostic) -> Finding | None:
    """The finding of a diagnostic whose path is relative to the project; None for a mere hint."""
    severity = _SEVERITIES.get(diagnostic.severity)
    if severity is None:
        return None
    where = f"{diagnostic.path}:{diagnostic.place.line}" if diagnostic.path else ""
    return Finding(diagnostic.code, severity, diagnostic.what, diagnostic.why, diagnostic.to_do, where)


def _unread(project: Project, path: Path, error: UserError) -> Finding:
    return Finding("file-unreadable", ERROR, str(error), where=project.paths.relative(path))


def _data_files(folder: Path) -> Iterator[Path]:
    """The YAML and JSON files outside of trajectories, caches and hidden folders; links are not followed."""
    for parent, folders, names in os.walk(folder):
        here = Path(parent)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and not (here == folder and name in (TRAJECTORIES, CACHE))
        )
        for name in sorted(names):
            path = here / name
            if path.suffix.lower() in _DATA and not name.startswith(".") and not path.is_symlink():
                yield path


def _unreadable(project: Project, path: Path) -> Finding | None:
    """A finding for a file that is no YAML or JSON; None for one that is."""
    try:
        if path.suffix.lower() in _JSON:
            read_document(path)
            return None
        diagnostics = read_source(read_text(path)).diagnostics
    except UserError as error:
        return _unread(project, path, error)
    errors = (diagnostic for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR)
    first = next(errors, None)
    if first is None:
        return None
    where = f"{project.paths.relative(path)}:{first.place.line}"
    what = _("The file is not YAML: {why}", why=first.what)
    return Finding("file-unreadable", ERROR, what, where=where)
