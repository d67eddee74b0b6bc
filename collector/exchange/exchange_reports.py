"""The reports of imports and exports, kept in the project: what came over, and what could not be kept."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import LOSS, losses_first, sentence_of
from collector.exchange.exports import exporting
from collector.exchange.exports.exporting import ExportChoice, ExportResult, export_project
from collector.exchange.imports.importing import AUTO, ImportResult, Progress, import_into
from collector.model.finding import Finding
from collector.model.i18n import _, ngettext
from collector.store.files import format_versions as versions
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged, StoreError
from collector.store.files.links import leads_outside, refuse_links_outside
from collector.store.files.names import folder_name
from collector.store.project.project import Project
from collector.store.trajectory import codec, trajectory_files

_MOST = 200
"""Reports of a kind that a project keeps; the oldest goes first."""


@dataclass(frozen=True, slots=True)
class ExchangeReport:
    """One import or export: what came of it, and its findings."""

    id: str
    """Name of its file without the ending; newer ones sort after older ones."""
    at: str
    """When it was, ISO 8601."""
    source: str
    """Name of what was imported; of an export, where it was written."""
    title: str
    """Of the format."""
    trajectories: tuple[str, ...] = ()
    more: int = 0
    """Trajectories that came over and are not named."""
    tasks: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    variations: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    is_export: bool = False

    @property
    def losses(self) -> list[Finding]:
        """What could not be kept."""
        return [finding for finding in self.findings if finding.severity == LOSS]

    @property
    def ordered(self) -> list[Finding]:
        """The findings, losses first."""
        return losses_first(self.findings)

    @property
    def summary(self) -> str:
        """What came over, in numbers."""
        count = len(self.tasks)
        parts = [
            ngettext("{count} trajectory", "{count} trajectories", len(self.trajectories) + self.more),
            ngettext("{count} task", "{count} tasks", count)
            if self.is_export
            else ngettext("{count} new task", "{count} new tasks", count),
        ]
        if self.rules:
            parts.append(ngettext("{count} rule file", "{count} rule files", len(self.rules)))
        if self.variations:
            parts.append(ngettext("{count} variation", "{count} variations", len(self.variations)))
        return ", ".join(parts)

    @property
    def text(self) -> str:
        """The whole report as lines, to be copied."""
        values = {"source": self.source, "title": self.title, "time": self.at}
        head = (
            _("Export to {source} as {title}, {time}", **values)
            if self.is_export
            else _("Import of {source} as {title}, {time}", **values)
        )
        places = [*self.rules, *self.variations, *self.trajectories]
        return "\n".join([head, self.summary, *places, *map(line_of, self.ordered)]) + "\n"


def line_of(finding: Finding) -> str:
    """A finding of an import or export as one line."""
    where = f"{finding.where}: " if finding.where else ""
    return f"{finding.severity}: {where}{sentence_of(finding)}"


def import_with_report(
    project: Project,
    path: Path,
    format_id: str = AUTO,
    *,
    strict: bool = False,
    progress: Progress | None = None,
) -> tuple[ImportResult, ExchangeReport]:
    """Import ``path`` as :func:`import_into` does, and keep the report in the project.

    Raises ExchangeError or StoreError; what was imported before stays.
    """
    result = import_into(project, path, format_id, strict=strict, progress=progress)
    name = path.resolve().name
    report = ExchangeReport(
        *_id_and_time(name),
        source=name,
        title=_(result.format.title),
        trajectories=tuple(project.paths.relative(folder) for folder in result.folders),
        more=result.folders.total - len(result.folders),
        tasks=tuple(result.tasks),
        rules=tuple(result.rules),
        variations=tuple(result.variations),
        findings=tuple(result.findings),
    )
    save_report(project, report)
    return result, report


def export_with_report(
    project: Project,
    path: Path,
    format_id: str,
    choice: ExportChoice | None = None,
    *,
    progress: exporting.Progress | None = None,
) -> tuple[ExportResult, ExchangeReport]:
    """Export to ``path`` as :func:`export_project` does, and keep the report in the project.

    A project that is read-only keeps none. Raises ExchangeError or StoreError; nothing is written then.
    """
    result = export_project(project, format_id, path, choice, progress=progress)
    report = ExchangeReport(
        *_id_and_time(path.resolve().name),
        source=str(path),
        title=_(result.format.title),
        trajectories=tuple(result.written.trajectories),
        more=result.written.trajectories.total - len(result.written.trajectories),
        tasks=tuple(result.written.tasks),
        rules=tuple(result.written.rules),
        findings=result.findings,
        is_export=True,
    )
    if not project.is_read_only:
        save_report(project, report)
    return result, report


def _id_and_time(name: str) -> tuple[str, str]:
    now = dt.datetime.now(dt.UTC)
    return folder_name(f"{now:%Y%m%d-%H%M%S-%f}-{name}"), now.isoformat(timespec="seconds")


def save_report(project: Project, report: ExchangeReport) -> Path:
    """Keep a report in the project. Raises StoreError."""
    folder, file_format = _home(project, report.is_export)
    refuse_links_outside(project.folder, [folder])
    disk = Disk()
    disk.make_folder(folder)
    path = folder / f"{report.id}.json"
    values = asdict(report)
    del values["is_export"]
    disk.write(path, codec.dump_document(file_format.stamp(values)), check=codec.load_json)
    for old in _files(project, report.is_export)[:-_MOST]:
        disk.remove(old)
    return path


def read_reports(project: Project, *, of_exports: bool = False) -> list[ExchangeReport]:
    """The reports of imports or exports, newest first; those that cannot be read are left out."""
    reports = []
    for path in reversed(_files(project, of_exports)):
        try:
            reports.append(_read(path, _home(project, of_exports)[1], of_exports))
        except StoreError:
            continue
    return reports


def _home(project: Project, is_export: bool) -> tuple[Path, versions.FileFormat]:
    if is_export:
        return project.paths.export_reports, versions.EXPORT_REPORT
    return project.paths.import_reports, versions.IMPORT_REPORT


def _files(project: Project, is_export: bool) -> Sequence[Path]:
    folder = _home(project, is_export)[0]
    return [] if leads_outside(folder, project.folder) else sorted(folder.glob("*.json"))


def _read(path: Path, file_format: versions.FileFormat, is_export: bool) -> ExchangeReport:
    values = file_format.upgrade(trajectory_files.read_document(path), path.name)
    try:
        trajectories, tasks, rules, variations = (
            tuple(map(str, values.get(name, ()))) for name in ("trajectories", "tasks", "rules", "variations")
        )
        more = int(values.get("more", 0))
        at, source, title = (str(values.get(name, "")) for name in ("at", "source", "title"))
        findings = tuple(_finding(entry) for entry in values.get("findings", ()))
    except (TypeError, AttributeError, KeyError, ValueError) as error:
        raise Damaged(_("{name} cannot be read", name=path.name), str(error)) from None
    return ExchangeReport(
        path.stem, at, source, title, trajectories, more, tasks, rules, variations, findings,
        is_export=is_export,
    )  # fmt: skip


def _finding(values: dict[str, Any]) -> Finding:
    texts = ("code", "severity", "what", "why", "to_do", "where")
    return Finding(
        **{name: str(values.get(name, "")) for name in texts}, steps=tuple(map(str, values["steps"]))
    )
