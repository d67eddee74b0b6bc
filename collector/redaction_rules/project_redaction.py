"""Hide what the rules hide in all that a project has recorded: trajectories, those in the trash, and caches.

A trajectory is done whole before the next one begins, and one that is done has nothing left to hide: so the
work goes on where it was killed.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from collector.host.file_lock import hold, holder
from collector.model.cancellation import check_cancelled
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.redaction_rules.private_record import PrivateRecord
from collector.redaction_rules.redaction_rule import RedactionRule
from collector.redaction_rules.rule_file import redaction_of
from collector.redaction_rules.stored_redaction import ChangedStep, RedactionPlan, StoredRedaction
from collector.redaction_rules.trajectory_redaction import TrajectoryRedaction
from collector.store.catalogue.cache_purge import purge_caches, purge_project_caches
from collector.store.files import layout
from collector.store.files.disk import Disk
from collector.store.files.errors import Locked, StoreError
from collector.store.files.layout import ProjectPaths, is_trajectory
from collector.store.project.copies import BroughtIn, bring_in
from collector.store.project.project import Project
from collector.store.trajectory import codec
from collector.store.trajectory.header_file import now
from collector.store.trajectory.reader import read_header
from collector.store.trajectory.trajectory_files import read_lines
from collector.store.trajectory.writer import TrajectoryWriter
from collector.store.video.recorded_video import video_parts

VIDEOS = (".mkv", ".mp4", ".webm")
_GIT = ".git"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class NewFiles:
    """A step in which something was hidden, and the digests of its files as they are now."""

    step: ChangedStep
    sha256: dict[str, str]


@dataclass(slots=True)
class RedactedTrajectory:
    """What is hidden, or would be, in one trajectory."""

    name: str
    """Its folder in the project, with forward slashes."""
    steps: list[NewFiles] = field(default_factory=list)
    words: int = 0
    """How many texts are masked in it."""
    elsewhere: bool = False
    """Whether anything is hidden in its events, header, judgements, annotations or app data."""
    deleted: list[str] = field(default_factory=list)
    """Files that no step names any more."""
    doubted: dict[str, int] = field(default_factory=dict)
    """By rule, the screens that are hidden whole, because nobody can say whether it holds there."""
    cut: list[str] = field(default_factory=list)
    """Parts of the recorded video that are cut where a step is redacted."""
    videos: list[str] = field(default_factory=list)
    """Other videos, in which nothing is hidden."""
    problem: str = ""
    """Why nothing could be hidden in it; it can be done again."""


@dataclass(slots=True)
class ProjectRedactionReport:
    """What came of a redaction of a whole project."""

    rules: tuple[RedactionRule, ...] = ()
    trajectories: list[RedactedTrajectory] = field(default_factory=list)
    """Those in which something is hidden, or could not be."""
    total: int = 0
    """Trajectories that were looked at."""
    held: dict[str, int] = field(default_factory=dict)
    """By rule, the screens on which it hides something."""
    dropped: list[str] = field(default_factory=list)
    """Folders and files of the cache that are made again."""
    git: str = ""
    """The repository in whose history the old files still are; empty without one."""
    earlier: list[dict[str, Any]] = field(default_factory=list)
    """The trajectories that were changed before the program was killed, as the report has them."""
    at: str = ""
    id: str = ""
    """Name of the report's file without its ending; empty where none was written."""

    @property
    def problems(self) -> list[RedactedTrajectory]:
        """Those in which nothing could be hidden."""
        return [item for item in self.trajectories if item.problem]

    @property
    def steps(self) -> int:
        """Steps in which something is hidden."""
        return sum(len(item.steps) for item in self.trajectories)

    def as_dict(self) -> dict[str, Any]:
        """As JSON holds it. It names no word that is hidden, and no digest of a file as it was before.

        From a digest of a file that is known but for a PIN, the PIN can be found.
        """
        return {
            "at": self.at,
            "rules": [rule.name for rule in self.rules],
            "looked_at": self.total,
            "held": dict(self.held),
            "dropped": list(self.dropped),
            "git": self.git,
            "trajectories": [*self.earlier, *(_trajectory_as_dict(item) for item in self.trajectories)],
        }


class ProjectRedaction:
    """The redaction rules of a project over all that it has recorded."""

    def __init__(self, project: Project) -> None:
        """Raises UserError when the rules cannot be read."""
        self.project = project
        self.rules = redaction_of(project.folder)

    @cached_property
    def _hidden_before(self) -> PrivateRecord:
        """What was hidden in the project from this computer."""
        return PrivateRecord.open(self.project.folder)

    def folders(self) -> list[Path]:
        """The folders of all trajectories, those in the trash too, in order."""
        paths = self.project.paths
        found = (path for place in (paths.trajectories, paths.trash) for path in place.glob("*/*"))
        return sorted(path for path in found if is_trajectory(path))

    def look(self, progress: Progress | None = None) -> ProjectRedactionReport:
        """What would be hidden. Changes nothing. Raises UserError, and Cancelled."""
        report = ProjectRedactionReport(self.rules, git=_repository(self.project.folder))
        for folder in self._each(report, progress):
            check_cancelled()
            self._note(report, folder, None)
        return report

    def apply(self, progress: Progress | None = None) -> ProjectRedactionReport:
        """Hide it, for good, and write the report into the project.

        A trajectory that is being written stays as it is, and the report says so. Raises UserError when
        another program does this now, or when a cache may still hold what was hidden.
        """
        self.project.require_writable()
        paths = self.project.paths
        with _alone(paths.redaction_lock):
            was_killed = paths.redaction_mark.exists()
            report = ProjectRedactionReport(self.rules, git=_repository(self.project.folder), at=now())
            report.earlier = list(_noted(paths.redaction_mark))
            paths.redaction_mark.touch()
            record = PrivateRecord.open(self.project.folder)
            for folder in self._each(report, progress):
                known = len(report.trajectories)
                self._note(report, folder, record)
                _keep_note(paths.redaction_mark, report.trajectories[known:])
            if was_killed or any(
                item.steps or item.elsewhere or item.deleted for item in report.trajectories
            ):
                purge_project_caches(self.project.folder)
                report.dropped = _drop_made_again(paths)
            if report.trajectories or report.earlier:
                _write_report(report, paths)
            paths.redaction_mark.unlink(missing_ok=True)
        return report

    def _each(self, report: ProjectRedactionReport, progress: Progress | None) -> Iterator[Path]:
        folders = self.folders() if self.rules else []
        report.total = len(folders)
        for number, folder in enumerate(folders, start=1):
            yield folder
            if progress is not None:
                progress(number, len(folders))

    def _note(self, report: ProjectRedactionReport, folder: Path, record: PrivateRecord | None) -> None:
        """Look at one trajectory, and hide what is to be hidden where there is a ``record``."""
        item = RedactedTrajectory(self.project.paths.relative(folder))
        try:
            self._look_at(report, item, folder, record)
        except Locked as error:
            item.problem = _("It is being recorded or edited: {why}", why=error.what)
        except (StoreError, UserError) as error:
            item.problem = str(error)
        if item.problem or item.steps or item.elsewhere or item.deleted or item.videos:
            report.trajectories.append(item)

    def _look_at(
        self, report: ProjectRedactionReport, item: RedactedTrajectory, folder: Path,
        record: PrivateRecord | None,
    ) -> None:  # fmt: skip
        redaction = TrajectoryRedaction(self.project.folder, read_header(folder).task_id)
        if not redaction:
            return
        if record is None:
            plan = StoredRedaction(folder, redaction, self._hidden_before.has_file).work_out()
            done: tuple[Step, ...] = ()
        else:
            plan, done = _hide(folder, redaction, record)
        for rule, count in plan.held.items():
            report.held[rule] = report.held.get(rule, 0) + count
        item.words = len(set(plan.words)) if plan else 0
        item.elsewhere, item.deleted, item.doubted = plan.elsewhere, plan.leftovers, plan.doubted
        for changed in plan.changed:
            sums = dict(done[changed.index].state.sha256) if done else {}
            item.steps.append(NewFiles(changed, sums))
        if plan:
            parts = video_parts(read_header(folder))
            item.cut = [part.file for part in parts if part.file and plan.changed]
            known = {part.file for part in parts}
            found = (path.name for path in folder.rglob("*") if path.suffix in VIDEOS)
            item.videos = sorted(set(found) - known)


def bring_in_redacted(
    project: Project, copy: Path, progress: Progress, named: Callable[[Project], Iterable[Path]]
) -> BroughtIn:
    """Take what a copy of a project has, as :func:`bring_in`, and hide in it what the rules hide.

    A trajectory of the copy is in the project as it was there until that is done. Raises UserError.
    """
    redaction_of(project.folder)  # what cannot be read hides nothing: nothing is taken
    brought = bring_in(project, copy, progress, named=named)
    rules = redaction_of(project.folder)  # with those of the copy, where there were none
    for name in brought.trajectories if rules else ():
        hide_in_trajectory(project, project.folder / name, rules)
    return brought


def hide_in_trajectory(project: Project, folder: Path, rules: Sequence[RedactionRule]) -> RedactedTrajectory:
    """Hide by some rules in one trajectory, for good. Raises UserError, and Locked while it is in use."""
    project.require_writable()
    item = RedactedTrajectory(project.paths.relative(folder))
    with _alone(project.paths.redaction_lock):
        redaction = TrajectoryRedaction.by(project.folder, read_header(folder).task_id, rules)
        plan, done = _hide(folder, redaction, PrivateRecord.open(project.folder))
    item.words = len(set(plan.words)) if plan else 0
    item.elsewhere, item.deleted, item.doubted = plan.elsewhere, plan.leftovers, plan.doubted
    item.steps = [NewFiles(step, dict(done[step.index].state.sha256)) for step in plan.changed]
    return item


def _hide(
    folder: Path, redaction: TrajectoryRedaction, record: PrivateRecord
) -> tuple[RedactionPlan, tuple[Step, ...]]:
    """Hide in one trajectory; the words are recorded first, so that an audit knows them whatever happens."""
    with _opened(folder) as writer:
        stored = StoredRedaction(folder, redaction, record.has_file)
        plan = stored.work_out()
        if not plan:
            return plan, ()
        record.add(plan.words, stored.old_files())
        steps = stored.apply(writer)
        # Killed before, it may have written files that are as they are to be.
        record.forget_files(path.read_bytes() for path in (folder / layout.STATES).iterdir())
    purge_caches(folder)
    return plan, steps


def _opened(folder: Path) -> TrajectoryWriter:
    """A writer; of a trajectory whose recorder died, too."""
    try:
        return TrajectoryWriter.open(folder, redacts=True)
    except Locked as error:
        if not error.stale:
            raise
        return TrajectoryWriter.open(folder, redacts=True, take_over=True)


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    held = hold(path, {})
    if held is None:
        raise Locked(_("The project is being redacted by another program"), "", _("Wait until it is done"))
    try:
        yield
    finally:
        held.release()


def _repository(folder: Path) -> str:
    """The git repository around a project; empty without one."""
    around = next((path for path in (folder, *folder.resolve().parents) if (path / _GIT).exists()), None)
    return str(around) if around is not None else ""


def _drop_made_again(paths: ProjectPaths) -> list[str]:
    """Delete what the cache made of trajectories: previews, outlines, and what runners said.

    What a runner that runs now writes stays: it masks the words itself.
    """
    dropped = []
    for path in (paths.task_summary_cache, paths.preview_folder, paths.import_folder, paths.export_folder):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        elif path.exists():
            path.unlink(missing_ok=True)
        else:
            continue
        dropped.append(paths.relative(path))
    for file in (paths.cache / Path(layout.RUNNER_FOLDER).name).glob("*/*"):
        if file.name in (layout.RUN_LOG, layout.RUNNER_OUTPUT) and not _is_running(file.parent):
            file.unlink(missing_ok=True)
            dropped.append(paths.relative(file))
    return dropped


def _is_running(folder: Path) -> bool:
    """Whether a runner holds its file there."""
    return holder(folder / layout.RUNNER_FILE) is not None


def _keep_note(mark: Path, items: Sequence[RedactedTrajectory]) -> None:
    """Note what was changed where whoever goes on after a kill finds it."""
    changed = [item for item in items if not item.problem]
    if changed:
        with mark.open("ab") as file:
            file.writelines(codec.dump_line(_trajectory_as_dict(item)) for item in changed)


def _noted(mark: Path) -> Iterator[dict[str, Any]]:
    """What was noted before the program was killed; a line that was cut off is passed over."""
    yield from read_lines(mark).lines


def _write_report(report: ProjectRedactionReport, paths: ProjectPaths) -> None:
    folder = paths.redaction_reports
    folder.mkdir(exist_ok=True)
    report.id = "".join(filter(str.isdigit, report.at))[:17]
    Disk().write(folder / f"{report.id}.json", codec.dump_document(report.as_dict()))


def _trajectory_as_dict(item: RedactedTrajectory) -> dict[str, Any]:
    return {
        "trajectory": item.name,
        "words": item.words,
        "elsewhere": item.elsewhere,
        "deleted": list(item.deleted),
        "doubted": dict(item.doubted),
        "cut": list(item.cut),
        "videos": list(item.videos),
        "problem": item.problem,
        "steps": [
            {
                "index": new.step.index,
                "rules": list(new.step.rules),
                "regions": new.step.regions,
                "tree": new.step.masks_tree,
                "words": new.step.masks_words,
                "sha256": dict(new.sha256),
            }
            for new in item.steps
        ],
    }
