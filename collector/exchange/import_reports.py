"""The reports of imports, kept in the project: what was imported, and what could not be kept."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import LOSS, sentence_of
from collector.exchange.importing import AUTO, ImportResult, Progress, import_into
from collector.model.finding import Finding
from collector.model.i18n import _, ngettext
from collector.store import codec, trajectory_files
from collector.store import format_versions as versions
from collector.store.disk import Disk
from collector.store.errors import Damaged, StoreError
from collector.store.links import leads_outside, refuse_links_outside
from collector.store.names import folder_name
from collector.store.project import Project

_MOST = 200
"""Reports a project keeps; the oldest goes first."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """One import: what came of it, and its findings."""

    id: str
    """Name of its file without the ending; newer ones sort after older ones."""
    at: str
    """When it was, ISO 8601."""
    source: str
    title: str
    """Of the format."""
    trajectories: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def losses(self) -> list[Finding]:
        """What could not be kept."""
        return [finding for finding in self.findings if finding.severity == LOSS]

    @property
    def ordered(self) -> list[Finding]:
        """The findings, losses first."""
        return sorted(self.findings, key=lambda finding: finding.severity != LOSS)

    @property
    def summary(self) -> str:
        """What was imported, in numbers."""
        parts = [
            ngettext("{count} trajectory", "{count} trajectories", len(self.trajectories)),
            ngettext("{count} new task", "{count} new tasks", len(self.tasks)),
        ]
        if self.rules:
            parts.append(ngettext("{count} rule file", "{count} rule files", len(self.rules)))
        return ", ".join(parts)

    @property
    def text(self) -> str:
        """The whole report as lines, to be copied."""
        head = _("Import of {source} as {title}, {time}", source=self.source, title=self.title, time=self.at)
        places = [*self.rules, *self.trajectories]
        return "\n".join([head, self.summary, *places, *map(line_of, self.ordered)]) + "\n"


def line_of(finding: Finding) -> str:
    """A finding of an import as one line."""
    where = f"{finding.where}: " if finding.where else ""
    return f"{finding.severity}: {where}{sentence_of(finding)}"


def import_with_report(
    project: Project, path: Path, format_id: str = AUTO, *, progress: Progress | None = None
) -> tuple[ImportResult, ImportReport]:
    """Import ``path`` as :func:`import_into` does, and keep the report in the project.

    Raises ExchangeError or StoreError; what was imported before stays.
    """
    result = import_into(project, path, format_id, progress=progress)
    report = _report_of(project, result, path.resolve().name)
    save_report(project, report)
    return result, report


def _report_of(project: Project, result: ImportResult, source: str) -> ImportReport:
    """The report of an import that was just made from ``source``."""
    now = dt.datetime.now(dt.UTC)
    return ImportReport(
        id=folder_name(f"{now:%Y%m%d-%H%M%S-%f}-{source}"),
        at=now.isoformat(timespec="seconds"),
        source=source,
        title=_(result.importer.title),
        trajectories=tuple(project.paths.relative(folder) for folder in result.folders),
        tasks=tuple(result.tasks),
        rules=tuple(result.rules),
        findings=tuple(result.findings),
    )


def save_report(project: Project, report: ImportReport) -> Path:
    """Keep a report in the project. Raises StoreError."""
    folder = project.paths.import_reports
    refuse_links_outside(project.folder, [folder])
    disk = Disk()
    disk.make_folder(folder)
    path = folder / f"{report.id}.json"
    document = versions.IMPORT_REPORT.stamp(asdict(report))
    disk.write(path, codec.dump_document(document), check=codec.load_json)
    for old in _files(project)[:-_MOST]:
        disk.remove(old)
    return path


def read_reports(project: Project) -> list[ImportReport]:
    """The reports of a project, newest first; those that cannot be read are left out."""
    reports = []
    for path in reversed(_files(project)):
        try:
            reports.append(_read(path))
        except StoreError:
            continue
    return reports


def _files(project: Project) -> Sequence[Path]:
    folder = project.paths.import_reports
    return [] if leads_outside(folder, project.folder) else sorted(folder.glob("*.json"))


def _read(path: Path) -> ImportReport:
    values = versions.IMPORT_REPORT.upgrade(trajectory_files.read_document(path), path.name)
    try:
        trajectories, tasks, rules = (
            tuple(map(str, values.get(name, ()))) for name in ("trajectories", "tasks", "rules")
        )
        at, source, title = (str(values.get(name, "")) for name in ("at", "source", "title"))
        findings = tuple(_finding(entry) for entry in values.get("findings", ()))
    except (TypeError, AttributeError, KeyError) as error:
        raise Damaged(_("{name} cannot be read", name=path.name), str(error)) from None
    return ImportReport(path.stem, at, source, title, trajectories, tasks, rules, findings)


def _finding(values: dict[str, Any]) -> Finding:
    texts = ("code", "severity", "what", "why", "to_do", "where")
    return Finding(
        **{name: str(values.get(name, "")) for name in texts}, steps=tuple(map(str, values["steps"]))
    )
