"""Export a project into a format of others, whole or not at all, and report what the format cannot hold."""

from __future__ import annotations

import contextlib
import secrets
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import LOSS, NOTE, ExchangeLog, Written
from collector.exchange.format import Format
from collector.exchange.registry import formats, written_formats
from collector.model.action import Type
from collector.model.errors import UserError
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.store.checks.typed_passwords import KeptPassword, kept_password
from collector.store.files.disk import Disk
from collector.store.files.errors import write_error
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory

_STAGING, _REPLACED = ".waymark-export-", ".waymark-replaced-"
Progress = Callable[[str, int], None]
"""Called with the name of each trajectory and how many were begun so far; may raise to stop the export."""


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


def export_project(
    project: Project, format_id: str, path: Path, *, replace: bool = False, progress: Progress | None = None
) -> ExportResult:
    """Write ``project`` to ``path``. Raises ExchangeError or StoreError; everything is as before then.

    What is at ``path`` already is replaced only with ``replace``, and only a file or what an export of
    this format wrote. The export is built beside it and moved into place whole.
    """
    chosen = written_format(format_id)
    chosen.require_package()
    _refuse_own(project, path)
    if not replace or not may_replace(chosen, path):
        _refuse_existing(chosen, path, replace)
    log = ExchangeLog(progress)
    Disk().make_folder(path.absolute().parent)
    folder = path.with_name(f"{_STAGING}{secrets.token_hex(4)}")
    staging = folder / path.name  # findings name it
    try:
        folder.mkdir()
        chosen.write(project, staging, log)
        _move_into_place(staging, path, replace)
    except OSError as error:
        raise write_error(path, error) from error
    finally:
        _remove(folder)
    _note_passwords(project, log)
    log.add_problems(formats().problems)
    return ExportResult(chosen, path, log.written, tuple(log.findings))


def _note_passwords(project: Project, log: ExchangeLog) -> None:
    """Say which trajectories were written with passwords: imports, and recordings of earlier versions."""
    for name in log.written.trajectories:
        log.where = name
        with contextlib.suppress(UserError, OSError):  # the check of the project says it
            stored = open_trajectory(project.folder / name)
            for step in stored.steps:
                if isinstance(step.action, Type) and kept_password(stored, step) is KeptPassword.TYPED:
                    log.add(
                        "password-kept",
                        _("A typed password is in plain text; `waymark project check` says how to redact it"),
                        step=step.index,
                        severity=NOTE,
                    )


def written_format(format_id: str) -> Format:
    """The format with this id. Raises ExchangeError when there is none that can be written."""
    known = written_formats()
    if format_id not in known:
        raise ExchangeError(
            _("There is no format {name}", name=format_id),
            "; ".join(formats().problems),
            _("Use one of: {known}", known=", ".join(known)),
        )
    return known[format_id]


def is_taken(path: Path) -> bool:
    """Whether something is at ``path``, a broken link included."""
    return path.exists() or path.is_symlink()


def may_replace(written: Format, path: Path) -> bool:
    """Whether what is at ``path`` may be replaced: a file, or a folder with nothing but such an export."""
    if path.is_symlink() or not path.is_dir():
        return path.is_file() and not path.is_symlink() and not written.entries
    try:
        names = {entry.name for entry in path.iterdir()}
    except OSError:
        return False
    return not names if not written.entries else names <= set(written.entries)


def _refuse_existing(written: Format, path: Path, replace: bool) -> None:
    if not is_taken(path):
        return
    why = _("an export replaces no file")
    if may_replace(written, path):
        raise ExchangeError(
            _("There is a {name} already", name=path.name), why, _("Name another, or export with --force")
        )
    if replace:
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


def _move_into_place(staging: Path, path: Path, replace: bool) -> None:
    """Move the finished export to ``path``; what it replaces is there again when that fails."""
    if not is_taken(path):
        staging.rename(path)
        return
    if not replace:
        raise ExchangeError(
            _("There is a {name} already", name=path.name),
            _("another program made it during the export"),
            _("Name another file, or remove this one"),
        )
    old = path.with_name(f"{_REPLACED}{secrets.token_hex(4)}")
    path.rename(old)
    try:
        staging.rename(path)
    except OSError:
        old.rename(path)
        raise
    _remove(old)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
