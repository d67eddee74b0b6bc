"""Copy a rule file or an anomaly library of a source into a project, as it is, beside what is there."""

from __future__ import annotations

from pathlib import Path

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.source.files import read_start
from collector.exchange.source.model import LIBRARY, SourceRules
from collector.located_yaml.safe_load import MAX_BYTES
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.files import yaml_files
from collector.store.files.disk import Disk
from collector.store.project.project import Project


def import_rules(project: Project, source: SourceRules, log: ExchangeLog) -> str:
    """Copy ``source``. Returns its name in the project; empty when the project has it or keeps its own."""
    log.where = source.name
    try:
        data = read_start(source.path, MAX_BYTES + 1)
        yaml_files.parse(data, source.name)
    except UserError as error:
        log.add("rules-unreadable", _("A rule file was left out: {why}", why=error))
        return ""
    target = _target(project, source, data)
    if target is None:
        log.add("rules-known", _("The project has these rules already"), severity=NOTE)
        return ""
    if source.kind == LIBRARY and target.exists():
        log.add(
            "library-kept",
            _("The project keeps its own anomaly library; this one was left out"),
        )
        return ""
    disk = Disk()
    disk.make_folder(target.parent)
    disk.write(target, data, check=lambda written: yaml_files.parse(written, target.name))
    return project.paths.relative(target)


def _target(project: Project, source: SourceRules, data: bytes) -> Path | None:
    """Where the file goes; None when the project has the same content there."""
    paths = project.paths
    usual = paths.library if source.kind == LIBRARY else paths.rule_file(source.kind)
    known = [usual, *(paths.rule_files() if source.kind != LIBRARY else ())]
    if any(path.is_file() and path.read_bytes() == data for path in known):
        return None
    if source.kind == LIBRARY or not usual.exists():
        return usual
    stem = Path(source.name).stem
    for number in range(1, 1000):
        path = usual.with_name(f"{stem}.yaml" if number == 1 else f"{stem}-{number}.yaml")
        if not path.exists():
            return path
    raise ExchangeError(_("There are too many files called {name}", name=source.name))
