"""What an export would come to, before anything is written: what is lost, how large it is, its first sample.

The first trajectories are exported into a folder of the project's cache, which is removed.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from collector.exchange.exchange_log import LOSS, PASSWORD_KEPT, ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.exported_passwords import PasswordCheck, PrivacyCheck
from collector.exchange.exports.exporting import (
    ExportChoice,
    Progress,
    checked_options,
    sides_of_export,
    written_format,
)
from collector.exchange.exports.sides import SPLIT_CODES
from collector.exchange.format import TRAJECTORIES, Format
from collector.exchange.format_sample import FormatSample
from collector.host.owned_folder import abandoned_folders, own_folder
from collector.model.finding import Finding
from collector.model.i18n import _, ngettext
from collector.store.project.project import Project

LOOKED_AT = 10
"""Trajectories that are exported for a preview, unless all are asked for."""
_DIVIDED_AT_ONCE = 2_000
"""Of so many trajectories the sides are found for every preview: all have to be read for that."""


@dataclass(frozen=True, slots=True)
class ExportPreview:
    """What an export would come to."""

    format: Format
    trajectories: int
    """That are chosen; none for a format that holds none."""
    tasks: int
    checked: int
    """How many of the trajectories were looked at."""
    size: int
    """Bytes of the whole export, as far as can be told from these."""
    findings: tuple[Finding, ...]
    """Of these."""
    sample: FormatSample | None
    is_divided: bool = True
    """Whether the findings say how many trajectories each side of a split gets."""

    @property
    def is_all(self) -> bool:
        """Whether all of it was looked at."""
        return self.checked == self.trajectories and self.is_divided

    @property
    def summary(self) -> str:
        """How much it is, for a person."""
        tasks = ngettext("{count} task", "{count} tasks", self.tasks)
        if TRAJECTORIES not in self.format.holds:
            return tasks
        return ", ".join((ngettext("{count} trajectory", "{count} trajectories", self.trajectories), tasks))

    @property
    def scope(self) -> str:
        """What was looked at, for a person; empty for all."""
        if self.is_all:
            return ""
        return _(
            "The first {count} of {total} trajectories were looked at",
            count=self.checked, total=self.trajectories,
        )  # fmt: skip

    @property
    def losses(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity == LOSS]

    @property
    def said_of_split(self) -> str:
        """How many trajectories each side gets, and what ties them, in lines; empty without a split."""
        if not self.is_divided:
            return _("Look at all to see how many trajectories each side gets")
        return "\n".join(each.what for each in self.findings if each.code in SPLIT_CODES)

    @property
    def has_passwords(self) -> bool:
        """Whether a typed password in plain text would leave."""
        return any(finding.code == PASSWORD_KEPT for finding in self.findings)


def preview_export(
    project: Project,
    format_id: str,
    choice: ExportChoice,
    *,
    most: int | None = LOOKED_AT,
    progress: Progress | None = None,
) -> ExportPreview:
    """Look at the first ``most`` trajectories of an export, or at all. Raises UserError as the export would.

    Of a split it says how many trajectories each side gets; of many they are counted only when all are asked
    for. The rest of what it says is that of an export without a split.
    """
    chosen = written_format(format_id)
    chosen.require_package()
    options = checked_options(chosen, choice.options)
    part = ExportedPart.chosen(project, choice.selection, options, chosen.kind)
    total = part.count() if TRAJECTORIES in chosen.holds else 0
    checked = total if most is None else min(most, total)
    log = ExchangeLog(progress, checked)
    is_divided = most is None or total <= _DIVIDED_AT_ONCE
    if is_divided:
        sides_of_export(chosen, part, choice, log)
    passwords = None if chosen.hides_passwords else PasswordCheck(project, log, allowed=True)
    log.check = PrivacyCheck(project, passwords).check
    with _folder_for_a_moment(project) as folder:
        path = folder / f"export{chosen.ending}"
        chosen.write(part.first(checked), path, log)
        size = _size(path)
        sample = chosen.first_sample(path, options)
    log.where = ""
    whole = round(size * total / checked) if checked else size
    # A format need not say which tasks it has written; one that leaves some out does, and may leave out all.
    leaves_out = any(finding.code == "task-left-out" for finding in log.findings)
    tasks = len(log.written.tasks) if log.written.tasks or leaves_out else len(part.tasks)
    return ExportPreview(
        chosen, total, tasks, checked, whole, tuple(log.findings), sample,
        is_divided or choice.split is None,
    )  # fmt: skip


@contextlib.contextmanager
def _folder_for_a_moment(project: Project) -> Iterator[Path]:
    """A folder in the project's cache, where pictures may share their blocks; and no other is left there."""
    parent = project.paths.preview_folder
    for left in abandoned_folders(parent):
        left.delete()
    owned = own_folder(parent / secrets.token_hex(4))
    try:
        yield owned.path
    finally:
        owned.delete()


def _size(path: Path) -> int:
    """Bytes of a file, or of all files in a folder."""
    if path.is_file():
        return path.stat().st_size
    return sum((Path(top) / name).stat().st_size for top, _folders, names in os.walk(path) for name in names)
