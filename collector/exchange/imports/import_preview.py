"""What an import would bring, before the project is changed: the format, what is lost, and the first sample.

The first trajectories are imported into a project that is there for a moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from collector.exchange.exchange_log import LOSS, ExchangeLog
from collector.exchange.format import Format
from collector.exchange.format_sample import FormatSample
from collector.exchange.imports.importing import (
    AUTO,
    ImportResult,
    Progress,
    choose,
    detect,
    opened_source,
    read_into,
    refuse_nothing,
    trial_project,
)
from collector.exchange.source import files as source_files
from collector.model.finding import Finding
from collector.model.i18n import _, ngettext
from collector.store.project.project import Project

LOOKED_AT = 8
"""Trajectories, task lists, rule files and variations that are imported for a preview."""


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """What an import would bring."""

    format: Format
    """The one it is read as."""
    recognised: tuple[tuple[Format, float], ...]
    """The formats it may have, and how sure each is, from 0 to 1, the surest first.

    None when one was named.
    """
    trajectories: int
    tasks: int
    rules: int
    variations: int
    is_all: bool
    """Whether these are all; else they are those at the beginning of the source."""
    size: int
    """Bytes of the source."""
    findings: tuple[Finding, ...]
    """Of what was looked at."""
    sample: FormatSample | None

    @property
    def summary(self) -> str:
        """What it brings, for a person."""
        parts = [
            ngettext("{count} trajectory", "{count} trajectories", self.trajectories),
            ngettext("{count} task", "{count} tasks", self.tasks),
        ]
        if self.rules:
            parts.append(ngettext("{count} rule file", "{count} rule files", self.rules))
        if self.variations:
            parts.append(ngettext("{count} variation", "{count} variations", self.variations))
        return ", ".join(parts)

    @property
    def scope(self) -> str:
        """What was looked at, for a person; empty for all."""
        return "" if self.is_all else _("What the source begins with was looked at; there is more")

    @property
    def losses(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity == LOSS]


def preview_import(
    project: Project,
    path: Path,
    format_id: str = AUTO,
    *,
    most: int | None = LOOKED_AT,
    progress: Progress | None = None,
) -> ImportPreview:
    """Look at the first items of a source, or at all. Raises UserError as the import would.

    The project is not asked what it has already: an import leaves out what was imported before.
    """
    log = ExchangeLog()
    with opened_source(path, log) as (root, name), trial_project(project) as trial:
        recognised = detect(root, progress) if format_id == AUTO else []
        chosen = choose(root, format_id, recognised)
        chosen.require_package()
        result = ImportResult(chosen)
        log.project = trial
        is_all = read_into(trial, result, root, name, log, progress, most=most)
        refuse_nothing(result, path, log)
        if is_all:
            log.add_unused(root if root.is_dir() else root.parent, source_files.files(root))
        size = sum(file.stat().st_size for file in source_files.files(root))
        return ImportPreview(
            chosen, tuple(recognised), result.folders.total, len(result.tasks), len(result.rules),
            len(result.variations), is_all, size, tuple(log.findings), chosen.first_sample(root),
        )  # fmt: skip
