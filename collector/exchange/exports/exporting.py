"""Export a project into a format of others, whole or not at all, and report what the format cannot hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import LOSS, NOTE, ExchangeLog, Written, refuse_losses
from collector.exchange.exports.export_staging import (
    ExportStaging,
    abandoned_beside,
    export_staging,
    identity_of,
)
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.exported_passwords import PasswordCheck, PrivacyCheck
from collector.exchange.exports.screens_elsewhere import ONCE, TOGETHER
from collector.exchange.exports.selection import Selection
from collector.exchange.exports.sides import divided
from collector.exchange.format import Format
from collector.exchange.registry import formats, no_format, written_formats
from collector.host import file_moves
from collector.model.dataset.split import Split
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.plugins.options import complete_options
from collector.store.files.disk import Disk, flush_file_system
from collector.store.files.errors import write_error
from collector.store.project.project import Project

Progress = Callable[[str, int, int], None]
"""Called with name and number of each trajectory, and how many there are; may raise to stop the export."""


@dataclass(frozen=True, slots=True)
class ExportResult:
    """The outcome of an export to ``path``."""

    format: Format
    path: Path
    written: Written
    findings: tuple[Finding, ...]

    @property
    def losses(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity == LOSS]


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """What is exported, and how."""

    selection: Selection = field(default_factory=Selection)
    split: Split | None = None
    """The sides it is divided into, each an export of its own in a folder; None for one export."""
    strict: bool = False
    """Whether it fails when anything is lost, or a typed password would leave in plain text."""
    passwords: bool = False
    """Whether typed passwords in plain text may leave; else the first one ends the export."""
    replace: bool = False
    """Whether what is there already is replaced."""
    shared_screens: str = TOGETHER
    """What becomes of trajectories that show one screen, where they are divided: they stay together, or each
    screen is on one side :data:`~collector.exchange.exports.screens_elsewhere.ONCE`."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """What is said of the options of the format; the others have their defaults."""


def export_project(
    project: Project,
    format_id: str,
    path: Path,
    choice: ExportChoice | None = None,
    *,
    progress: Progress | None = None,
) -> ExportResult:
    """Write ``project`` to ``path``. Raises ExchangeError or StoreError; everything is as before then.

    What is at ``path`` already is replaced only when the ``choice`` says so, and only a file or what an
    export of this format wrote. The export is built beside it and moved into place whole.
    """
    choice = choice or ExportChoice()
    replace = choice.replace
    chosen = written_format(format_id)
    chosen.require_package()
    _refuse_own(project, path)
    if not replace or not may_replace(chosen, path, choice.split):
        _refuse_existing(chosen, path, choice)
    options = checked_options(chosen, choice.options)
    part = ExportedPart.chosen(project, choice.selection, options, chosen.kind)
    log = ExchangeLog(progress, part.count() if progress else 0)
    passwords = None if chosen.hides_passwords else PasswordCheck(project, log, allowed=choice.passwords)
    log.check = PrivacyCheck(project, passwords).check
    Disk().make_folder(path.absolute().parent)
    said = (format_id, choice.selection, choice.split, choice.shared_screens, options)
    identity = identity_of(part, path, *said)
    try:
        with export_staging(project, path, identity) as staging:
            log.go_on(staging.journal)
            _write(chosen, part, choice, staging.path, log)
            if choice.strict:
                refuse_losses(log.findings)
            flush_file_system()
            _move_into_place(staging, path, replace)
    except OSError as error:
        raise write_error(path, error) from error
    _note_abandoned(path, log)
    log.add_problems(formats().problems)
    return ExportResult(chosen, path, log.written, tuple(log.findings))


def _write(
    chosen: Format, part: ExportedPart, choice: ExportChoice, staging: Path, log: ExchangeLog
) -> None:  # fmt: skip
    """Write the export, or one for each side of a split into a folder."""
    sides = sides_of_export(chosen, part, choice, log)
    if not sides:
        chosen.write(part, staging, log)
        return
    if chosen.divides:
        chosen.write(part.divided_into(sides), staging, log)
        return
    staging.mkdir(exist_ok=True)
    for side, own in sides.items():
        chosen.write(own, staging / f"{side}{chosen.ending}", log)


def sides_of_export(
    chosen: Format, part: ExportedPart, choice: ExportChoice, log: ExchangeLog
) -> dict[str, ExportedPart]:  # fmt: skip
    """The part of each side; empty without a split. Raises UserError when it cannot be divided so."""
    if choice.split is None:
        return {}
    if choice.shared_screens == ONCE and not chosen.divides:
        raise ExchangeError(
            _("{title} cannot write shared screens once", title=_(chosen.title)),
            _("it holds whole trajectories, and a screen cannot be left out of one"),
            _("Let trajectories that share a screen stay together, or choose a format of samples"),
        )
    return divided(part, choice.split, log, chosen, choice.shared_screens)


def _note_abandoned(path: Path, log: ExchangeLog) -> None:
    """Name what other exports left in the folder of the target when they were interrupted."""
    log.where = ""
    for folder in abandoned_beside(path):
        log.add(
            "export-interrupted",
            _("An interrupted export is in {folder}: do it again to go on, or delete it", folder=folder),
            severity=NOTE,
        )


def written_format(format_id: str) -> Format:
    """The format with this id. Raises ExchangeError when there is none that can be written."""
    known = written_formats()
    if format_id not in known:
        raise no_format(format_id, known)
    return known[format_id]


def checked_options(chosen: Format, given: Mapping[str, Any]) -> dict[str, Any]:
    """All options of an export. Raises UserError for the first given one that is wrong."""
    return complete_options(chosen, given, _("It cannot be exported as {title}", title=_(chosen.title)))


def is_taken(path: Path) -> bool:
    """Whether something is at ``path``, a broken link included."""
    return path.exists() or path.is_symlink()


def may_replace(written: Format, path: Path, split: Split | None = None) -> bool:
    """Whether what is at ``path`` may be replaced: a file, or a folder with nothing but such an export."""
    if split is not None and not written.divides:
        return path.is_dir() and not path.is_symlink() and _has_only_sides(written, path, split)
    if path.is_symlink() or not path.is_dir():
        return path.is_file() and not path.is_symlink() and not written.entries
    try:
        names = {entry.name for entry in path.iterdir()}
    except OSError:
        return False
    return not names if not written.entries else names <= set(written.entries)


def _has_only_sides(written: Format, path: Path, split: Split) -> bool:
    sides = {f"{side}{written.ending}" for side in split.shares}
    try:
        return all(entry.name in sides and may_replace(written, entry) for entry in path.iterdir())
    except OSError:
        return False


def _refuse_existing(written: Format, path: Path, choice: ExportChoice) -> None:
    if not is_taken(path):
        return
    why = _("an export replaces no file")
    if may_replace(written, path, choice.split):
        raise ExchangeError(
            _("There is a {name} already", name=path.name), why, _("Name another, or export with --force")
        )
    if choice.replace:
        why = _("it holds more than an export of this format, and that would be lost")
    raise ExchangeError(
        _("There is a {name} already", name=path.name), why, _("Name another file, or remove this one")
    )


def _refuse_own(project: Project, path: Path) -> None:
    """Refuse a path where the project keeps its own files."""
    place = path.absolute().parent.resolve() / path.name
    folder = project.folder.resolve()
    own = {entry.resolve() for entry in project.paths.entries()}
    if own.intersection((place, *place.parents)) or place in (folder, *folder.parents):
        raise ExchangeError(
            _("{name} belongs to the project that is exported", name=path.name),
            _("an export would mix its files with the project's"),
            _("Name a place outside the project"),
        )


def _move_into_place(staging: ExportStaging, path: Path, replace: bool) -> None:
    """Move the finished export to ``path``; what it replaces is there again when that fails."""
    if not is_taken(path):
        file_moves.rename(staging.path, path)
        return
    if not replace:
        raise ExchangeError(
            _("There is a {name} already", name=path.name),
            _("another program made it during the export"),
            _("Name another file, or remove this one"),
        )
    file_moves.rename(path, staging.replaced)
    try:
        file_moves.rename(staging.path, path)
    except OSError:
        file_moves.rename(staging.replaced, path)
        raise
