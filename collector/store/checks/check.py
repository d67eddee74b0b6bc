"""Check that the files of a project and its trajectories are whole, consistent and where they belong.

Nothing is changed. Each finding has a stable code, documented in ``docs/guide/formats.md``.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shlex
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from pathlib import Path

from collector.host.parallel import WORTH_STARTING, map_in_order, pays_off
from collector.model.errors import UserError
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.pictures.limits import MAX_BYTES
from collector.store.checks.picture_check import check_picture
from collector.store.checks.settings_check import check_settings
from collector.store.checks.task_check import check_task_file, check_tasks
from collector.store.checks.typed_passwords import KeptPassword, password_kept_in
from collector.store.checks.unchanged import CheckedTrajectory, UnchangedTrajectories, stamp_of
from collector.store.checks.video_check import check_video
from collector.store.files import layout
from collector.store.files.errors import Damaged, FromTheFuture, UnsafePath
from collector.store.files.findings import ERROR, WARNING, recorded_problem
from collector.store.files.format_versions import ANNOTATIONS
from collector.store.files.links import leads_outside, link_refused
from collector.store.files.lock import LOCK_NAME, holder_of
from collector.store.files.names import folder_name, inside
from collector.store.project.project import Project
from collector.store.trajectory import trajectory_files
from collector.store.trajectory.achieved_states import MISSED_STATES, marks_of
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import MAX_BLOB_BYTES, StoredTrajectory, open_trajectory
from collector.store.trajectory.recover import needs_recovery


def check_project(
    project: Project, progress: Callable[[Path], None] | None = None, *, notices: bool = False,
    memory: UnchangedTrajectories | None = None, goldens: Counter[str] | None = None,
) -> list[Finding]:  # fmt: skip
    """Check the tasks of a project, its trajectories, and whether they fit together.

    ``progress`` is called with the folder of each trajectory when it was checked. Many are checked in several
    processes. With ``notices`` the findings also repeat what golden trajectories say of their states. In a
    large project those that ``memory`` knows to be in order and as they were are not read again. ``goldens``
    gets the number of golden trajectories of each task.
    """
    damaged = check_task_file(project)
    findings = [*check_settings(project), *damaged, *check_tasks(project)]
    folders = list(project.trajectory_folders())
    if memory is None or len(folders) < WORTH_STARTING:
        results = _read(project, folders, stamps=False)
    else:
        results = _remembered(project, folders, memory)
    seen: set[str] = set()
    for folder, checked in zip(folders, results, strict=True):
        # Without the task file every task is unknown; the finding about the file says why.
        findings += (item for item in checked.findings if not damaged or item.code != "task-unknown")
        findings += checked.notices if notices else ()
        if checked.id and checked.id in seen:
            text = _("Another trajectory has the id {id} too", id=checked.id)
            findings.append(Finding("id-twice", WARNING, text, where=project.paths.relative(folder)))
        seen.add(checked.id)
        if goldens is not None and checked.golden_of:
            goldens[checked.golden_of] += 1
        if progress:
            progress(folder)
    findings += _check_layout(project)
    findings += [
        Finding("link", ERROR, str(link_refused(path)), where=project.paths.relative(path))
        for path in project.links_outside()
    ]
    return findings


def _read(project: Project, folders: Sequence[Path], *, stamps: bool) -> Iterator[CheckedTrajectory]:
    check = _TrajectoryCheck(project, stamps=stamps)
    if not pays_off(len(folders)):
        return map(check, folders)
    return map_in_order(_check_of, (project.folder, stamps), folders, check)


def _remembered(
    project: Project, folders: Sequence[Path], memory: UnchangedTrajectories
) -> Iterator[CheckedTrajectory]:
    """Read what changed, and note what is in order.

    Stamps come before the files are read: a later change shows next time. Those of trajectories that nobody
    remembers are taken where these are read.
    """
    known = [memory.known(project.paths.relative(folder), folder) for folder in folders]
    new = [folder for folder, checked in zip(folders, known, strict=True) if checked is None]
    read = _read(project, new, stamps=True)
    for folder, unchanged in zip(folders, known, strict=True):
        checked = unchanged or next(read)
        if checked.is_in_order:
            memory.note(project.paths.relative(folder), checked)
        yield checked
    memory.write()


def _check_of(folder: Path, stamps: bool) -> _TrajectoryCheck:
    """What checks the trajectories of the project in ``folder``, in a process of its own."""
    return _TrajectoryCheck(Project.open(folder, allow_damage=True), stamps=stamps)


class _TrajectoryCheck:
    """Checks trajectories of a project one by one."""

    def __init__(self, project: Project, *, stamps: bool) -> None:
        """With ``stamps`` the stamp of each trajectory is taken before it is read."""
        self._paths, self._states, self._stamps = project.paths, frozenset(project.states), stamps
        self._tasks = {task.id for task in project.tasks}

    def __call__(self, folder: Path) -> CheckedTrajectory:
        where, stamp = self._paths.relative(folder), stamp_of(folder) if self._stamps else ""
        findings, stored = _checked(folder, where, decodes=False)
        findings += _check_marks(folder, where, self._states)
        if stored is None:
            return CheckedTrajectory("", tuple(findings))
        findings += _check_place(stored, where, self._tasks)
        notices = tuple(_notices_of(stored, where))
        is_at_rest = holder_of(folder) is None
        header = stored.header
        golden_of = header.task_id if header.is_golden else ""
        return CheckedTrajectory(header.id, tuple(findings), notices, is_at_rest, stamp, golden_of)


def check_trajectory(folder: Path, where: str = "", *, decodes: bool = True) -> list[Finding]:
    """Check one trajectory's folder; ``where`` names it in the findings.

    With ``decodes`` the pixels of its screenshots are decoded, and not only their headers read.
    """
    return _checked(folder, where or folder.name, decodes=decodes)[0]


def _checked(folder: Path, where: str, *, decodes: bool) -> tuple[list[Finding], StoredTrajectory | None]:
    """The findings about a trajectory by itself, and what can be read of it."""
    if links := _links_in(folder):
        errors = [str(link_refused(folder / name)) for name in links]
        return [Finding("link", ERROR, error, where=where) for error in errors], None
    try:
        stored = open_trajectory(folder)
    except FromTheFuture as error:
        return [Finding("from-the-future", ERROR, str(error), where=where)], None
    except UserError as error:
        return [Finding("header-damaged", ERROR, str(error), where=where)], None
    findings = [Finding("steps-damaged", ERROR, text, where=where) for text in stored.problems]
    if needs_recovery(folder):
        text = _("It was not closed by the program that wrote it; `waymark project recover` repairs it")
        findings.append(Finding("needs-recovery", WARNING, text, where=where))
    events, edits = (_read_lines(folder, where, name, findings) for name in (layout.EVENTS, layout.EDITS))
    findings += _check_steps(stored, where, decodes=decodes)
    if events is not None and edits is not None:
        findings += _check_strays(stored, where, events, edits)
    findings += check_video(stored, where)
    findings += _check_annotations(folder, where)
    findings += [
        Finding("judgement-damaged", ERROR, text, where=f"{where}/{layout.JUDGEMENTS}")
        for text in read_judgements(folder).problems
    ]
    return findings, stored


def _links_in(folder: Path) -> list[str]:
    """The names of files and folders of a trajectory that are links."""
    try:
        with os.scandir(folder) as entries:
            links = {entry.name for entry in entries if entry.is_symlink()}
    except OSError:  # said when its header is read
        return []
    return [name for name in (*layout.TRAJECTORY_ENTRIES, LOCK_NAME) if name in links]


def _read_lines(
    folder: Path, where: str, name: str, findings: list[Finding]
) -> trajectory_files.LineFile | None:  # fmt: skip
    """The lines of events or edits, None when the file cannot be read; ``findings`` say what is damaged."""
    try:
        file = trajectory_files.read_lines(folder / name)
    except UserError as error:
        findings.append(Finding("lines-damaged", ERROR, str(error), where=f"{where}/{name}"))
        return None
    if file.bad:
        text = _("Line {number} of {name} cannot be read", number=file.bad[0], name=name)
        findings.append(Finding("lines-damaged", ERROR, text, where=f"{where}/{name}"))
    return file


def _check_steps(stored: StoredTrajectory, where: str, *, decodes: bool) -> list[Finding]:
    """Check the steps with their files, each of which is read once."""
    of_files, of_passwords = list[Finding](), list[Finding]()
    for position, step in enumerate(stored.steps):
        read: dict[str, bytes | None] = {}
        of_files += _check_step(stored, where, position, step, read, decodes=decodes)
        tree = step.state.tree
        # A tree that is missing or too large was said when the files were checked.
        if not tree or read.get(tree) is not None:
            of_passwords += _check_password(stored, where, position, step, read[tree] if tree else None)
    return [*of_files, *_check_actions(stored, where), *of_passwords]


def _check_step(
    stored: StoredTrajectory, where: str, position: int, step: Step, read: dict[str, bytes | None], *,
    decodes: bool,
) -> Iterator[Finding]:  # fmt: skip
    """Check one step; ``read`` gets the bytes of its files by name, None for one over the limit."""
    if step.index != position:
        text = _("Step {index} is at position {place}", index=step.index + 1, place=position + 1)
        yield Finding("order", ERROR, text, where=where, steps=(position,))
    for name in (step.state.screenshot, step.state.tree):
        if not name:
            continue
        try:
            is_picture = name == step.state.screenshot
            path = inside(stored.folder, name)
            data = read[name] = _bytes_of(path, MAX_BYTES if is_picture else MAX_BLOB_BYTES)
            actual = _digest(path) if data is None else hashlib.sha256(data).hexdigest()
            if is_picture:
                yield from check_picture(data, name, where, position, decodes=decodes)
        except UnsafePath as error:
            yield Finding("path-unsafe", ERROR, str(error), where=where, steps=(position,))
            continue
        except OSError:
            yield Finding(
                "blob-missing", ERROR, _("{name} is missing", name=name), where=where, steps=(position,)
            )
            continue
        recorded = step.state.sha256.get(name)
        if recorded is None:
            yield Finding(
                "hash-missing", WARNING, _("{name} has no digest", name=name), where=where, steps=(position,)
            )
        elif actual != recorded:
            text = _("{name} is not the file that was recorded", name=name)
            yield Finding("hash-differs", ERROR, text, where=where, steps=(position,))


def _check_actions(stored: StoredTrajectory, where: str) -> Iterator[Finding]:
    """Check that every step but the last has an action, unless the trajectory holds states alone."""
    if not stored.trajectory.actions:
        return
    for position, step in enumerate(stored.steps[:-1]):
        if step.action is None:
            text = _("The step has no action, though it is not the last")
            yield Finding("action-missing", WARNING, text, where=where, steps=(position,))


def _check_password(
    stored: StoredTrajectory, where: str, position: int, step: Step, dump: bytes | None
) -> Iterator[Finding]:
    """A password that a step typed, or that its screen shows: of an import, or of an earlier version."""
    kept = password_kept_in(step, dump)
    if kept is None:
        return
    command = _redaction_of(stored, position)
    if kept is KeptPassword.TYPED:
        text = _("The password that was typed is kept; `{command}` removes it", command=command)
    else:
        text = _("The tree shows a password; `{command}` removes it", command=command)
    yield Finding("password-kept", WARNING, text, where=where, steps=(position,))


def _redaction_of(stored: StoredTrajectory, position: int) -> str:
    folder = stored.folder
    return f"waymark trajectory redact {shlex.quote(f'{folder.parent.name}/{folder.name}')} {position + 1}"


def _bytes_of(path: Path, most: int) -> bytes | None:
    """The bytes of a file; None for one of over ``most``. Raises OSError."""
    return path.read_bytes() if path.stat().st_size <= most else None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_strays(
    stored: StoredTrajectory, where: str, events: trajectory_files.LineFile, edits: trajectory_files.LineFile
) -> Iterator[Finding]:
    if edits.lines or stored.problems:  # undone and damaged steps have files, too
        try:
            known = trajectory_files.read_steps(stored.folder).blob_names()
        except (Damaged, ValueError):
            return  # another finding says so
    else:
        known = {name for step in stored.steps for name in (step.state.screenshot, step.state.tree)}
    known |= {name for line in events.lines for name in trajectory_files.blob_names(line)}
    states = stored.folder / layout.STATES
    for path in sorted(states.iterdir()) if states.is_dir() else ():
        name = f"{layout.STATES}/{path.name}"
        if name not in known:
            yield Finding("stray", WARNING, _("{name} belongs to no step", name=name), where=where)


def _check_annotations(folder: Path, where: str) -> Iterator[Finding]:
    for path in sorted((folder / layout.ANNOTATIONS).glob("*")):
        try:
            ANNOTATIONS.upgrade(trajectory_files.read_document(path), path.name)
        except UserError as error:
            yield Finding(
                "annotation-damaged", ERROR, str(error), where=f"{where}/{layout.ANNOTATIONS}/{path.name}"
            )


def _check_marks(folder: Path, where: str, states: Container[str]) -> Iterator[Finding]:
    """Marks of essential states that the project does not define."""
    for path in sorted((folder / layout.ANNOTATIONS).glob("*.json")):
        with contextlib.suppress(UserError):  # said when the file was checked by itself
            said = ANNOTATIONS.upgrade(trajectory_files.read_document(path), path.name)
            place = f"{where}/{layout.ANNOTATIONS}/{path.name}"
            for mark in marks_of(said):
                if mark.state and mark.state not in states:
                    text = _("There is no essential state {id}, which is marked as reached", id=mark.state)
                    yield Finding("state-unknown", WARNING, text, where=place, steps=(mark.step,))
            missed = said.get(MISSED_STATES)
            for name in missed if isinstance(missed, list) else ():
                if isinstance(name, str) and name not in states:
                    text = _("There is no essential state {id}, which is marked as missed", id=name)
                    yield Finding("state-unknown", WARNING, text, where=place)


def _check_place(stored: StoredTrajectory, where: str, tasks: Container[str]) -> Iterator[Finding]:
    header, folder = stored.header, stored.folder
    if header.task_id not in tasks:
        text = _("Its task {id} is not in tasks.yaml", id=header.task_id)
        yield Finding("task-unknown", WARNING, text, where=where)
    if folder.parent.name != folder_name(header.task_id) or folder.name != folder_name(header.id):
        text = _("Its header says {task}/{id}, which is not its folder", task=header.task_id, id=header.id)
        yield Finding("misplaced", WARNING, text, where=where)


def _notices_of(stored: StoredTrajectory, where: str) -> Iterator[Finding]:
    """What a golden trajectory says of its states; nobody can record those of a run again."""
    problems = [step.state.problem for step in stored.steps if step.state.problem]
    if problems and not stored.header.is_run:
        yield recorded_problem(where, problems[0], len(problems))


def _check_layout(project: Project) -> Iterator[Finding]:
    if not project.paths.trajectories.is_dir():
        return
    for task_folder in sorted(project.paths.trajectories.iterdir()):
        if not task_folder.is_dir() or leads_outside(task_folder, project.folder):
            continue
        for folder in sorted(task_folder.iterdir()):
            if leads_outside(folder, project.folder):
                continue
            if folder.is_dir() and not (folder / layout.HEADER).exists():
                where = project.paths.relative(folder)
                text = _("The folder is no trajectory: it has no {name}", name=layout.HEADER)
                yield Finding("not-a-trajectory", WARNING, text, where=where)
