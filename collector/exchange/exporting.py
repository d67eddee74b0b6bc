"""Export a project into a format of others, and report what the format cannot hold."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.registry import Exporter, exporters
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.store.project import Project


@dataclass(frozen=True, slots=True)
class ExportResult:
    """The outcome of an export to ``path``."""

    exporter: Exporter
    path: Path
    findings: tuple[Finding, ...]


def export_project(project: Project, format_id: str, path: Path) -> ExportResult:
    """Write ``project`` to ``path``, which must not exist. Raises ExchangeError or StoreError."""
    loaded = exporters()
    exporter = loaded.formats.get(format_id)
    if exporter is None:
        raise ExchangeError(
            _("There is no format {name}", name=format_id),
            "; ".join(loaded.problems),
            _("Use one of: {known}", known=", ".join(loaded.formats)),
        )
    if path.exists() or path.is_symlink():
        raise ExchangeError(
            _("There is a {name} already", name=path.name),
            _("an export replaces no file"),
            _("Name another file, or remove this one"),
        )
    log = ExchangeLog()
    exporter.write(project, path, log)
    log.add_problems(loaded.problems)
    return ExportResult(exporter, path, tuple(log.findings))
