"""Judgements of a trajectory: the verdicts of rules, models and people, in a file per judge.

The newest judgement of a judge on a subject counts; the older ones stay, so that every vote can be seen. Only
an undo takes one out. Two people who judge the same trajectory write two files, which merge.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.verdicts.judgement import STEP, WINDOW, Judgement, Subject
from collector.store.files import format_versions as versions
from collector.store.files import layout
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged
from collector.store.files.links import refuse_link
from collector.store.files.names import folder_name
from collector.store.files.project_version import raise_version_around
from collector.store.files.readable_path import ReadablePath
from collector.store.trajectory import codec, trajectory_files
from collector.store.trajectory.judgement_codec import judgement_from_line, judgement_to_line
from collector.store.trajectory.reviews.annotation_verdicts import annotation_verdicts


@dataclass(frozen=True, slots=True)
class StoredJudgements:
    """The judgements of a trajectory in the order they were given, judge by judge."""

    judgements: tuple[Judgement, ...] = ()
    problems: tuple[str, ...] = ()
    """One sentence for each line and file that could not be read."""

    def newest(self) -> dict[tuple[str, Subject], Judgement]:
        """The judgements that count: by judge and subject, steps reached left out of states.

        A judgement that settles a disagreement is not its judge's own verdict: see :meth:`settled`.
        """
        own = (judgement for judgement in self.judgements if not judgement.settles)
        return {(judgement.judge, _asked(judgement.subject)): judgement for judgement in own}

    def settled(self) -> dict[Subject, Judgement]:
        """What was settled between people, by subject; of several persons' the latest counts."""
        settling = (judgement for judgement in self.judgements if judgement.settles)
        ordered = sorted(settling, key=lambda judgement: judgement.time)
        return {_asked(judgement.subject): judgement for judgement in ordered}


def path_of(folder: Path, judge: str) -> Path:
    """The file of ``judge`` in a trajectory's folder."""
    return folder / layout.JUDGEMENTS / f"{folder_name(judge)}.jsonl"


def read_judgements(folder: ReadablePath) -> StoredJudgements:
    """All judgements of the trajectory in ``folder``; what cannot be read is left out and reported."""
    try:
        judgements, problems = annotation_verdicts(folder), []
    except UserError as error:
        judgements, problems = [], [str(error)]
    for path in sorted((folder / layout.JUDGEMENTS).glob("*.jsonl"), key=lambda path: path.name):
        of_file = _judgements_in(path)
        judgements += of_file.judgements
        problems += of_file.problems
    return StoredJudgements(tuple(judgements), tuple(problems))


def newest_of_judge(folder: Path, judge: str) -> list[Judgement]:
    """The judgements of one judge that count. Only its own file is read; none without one that can be."""
    path = path_of(folder, judge)
    if not path.exists():
        return []
    known = _judgements_in(path).newest().items()
    return [judgement for (name, _subject), judgement in known if name == judge]


def _judgements_in(path: ReadablePath) -> StoredJudgements:
    """What is in one file; what cannot be read is left out and reported."""
    try:
        file = _read_file(path)
    except UserError as error:
        return StoredJudgements((), (str(error),))
    judgements, problems = [], [_passed_over(path, number) for number in file.bad]
    for number, line in enumerate(file.lines[1:], start=2):
        try:
            judgements.append(judgement_from_line(line))
        except ValueError as error:
            problems.append(_passed_over(path, number, str(error)))
    return StoredJudgements(tuple(judgements), tuple(problems))


def add_judgements(folder: Path, judgements: Iterable[Judgement], disk: Disk | None = None) -> None:
    """Add judgements to the files of their judges. Raises StoreError; each file is whole or unchanged.

    The whole file is replaced: the folder's time then tells the catalogue that something changed. Lines that
    cannot be read stay where they are; a file that a crash left empty is written anew.
    """
    disk = disk or Disk()
    by_judge: dict[str, list[Judgement]] = {}
    for judgement in judgements:
        by_judge.setdefault(judgement.judge, []).append(judgement)
    if by_judge:
        refuse_link(folder / layout.JUDGEMENTS)
        raise_version_around(folder, disk)
        disk.make_folder(folder / layout.JUDGEMENTS)
    for judge, given in by_judge.items():
        path = path_of(folder, judge)
        if path.exists() and path.stat().st_size:
            data = _read_file(path).data
        else:
            data = codec.dump_line(versions.JUDGEMENTS.stamp({"judge": judge}))
        disk.write(path, data + b"".join(map(codec.dump_line, map(judgement_to_line, given))))


def remove_judgement(folder: Path, judgement: Judgement, disk: Disk | None = None) -> None:
    """Take a judgement out of the file of its judge, as an undo does; nothing happens when it is not there.

    All other lines stay as they are. Raises StoreError; the file is whole or unchanged.
    """
    disk, path = disk or Disk(), path_of(folder, judgement.judge)
    refuse_link(path.parent)
    if not path.exists():
        return
    raw_lines = _read_file(path).raw_lines()
    for place in range(len(raw_lines) - 1, 0, -1):
        if _says(raw_lines[place], judgement):
            del raw_lines[place]
            disk.write(path, b"".join(raw_lines))
            return


def _says(raw: bytes, judgement: Judgement) -> bool:
    """Whether a line of a file is this judgement."""
    try:
        return judgement_from_line(codec.load_json(raw)) == judgement
    except (ValueError, TypeError, AttributeError):
        return False


def _read_file(path: ReadablePath) -> trajectory_files.LineFile:
    """The lines of a file, its first one, with format and version, checked. Raises Damaged, FromTheFuture."""
    file = trajectory_files.read_lines(path)
    if not file.lines:
        raise Damaged(_("{name} cannot be read", name=path.name), _("it is empty"))
    versions.JUDGEMENTS.upgrade(file.lines[0], path.name)
    return file


def _asked(subject: Subject) -> Subject:
    """The subject without the step that an answer names: of a state, whether and when are one question."""
    return Subject(subject.kind, subject.state) if subject.kind not in (WINDOW, STEP) else subject


def _passed_over(path: ReadablePath, number: int, why: str = "") -> str:
    if why:
        return _(
            "Line {number} of {name} cannot be read and was passed over: {why}",
            number=number, name=path.name, why=why,
        )  # fmt: skip
    return _("Line {number} of {name} cannot be read and was passed over", number=number, name=path.name)
