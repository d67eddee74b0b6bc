"""A whole D-GARA folder: tasks, rules, anomaly library, runs and collected trajectories.

Rule files are known by their keys: ``rules``, ``interference_library``, or keys that each have
``conditions``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from collector.exchange.dgara import collected as dgara_collected
from collector.exchange.dgara import runs as dgara_runs
from collector.exchange.dgara import tasks as dgara_tasks
from collector.exchange.dgara.layout import RULES, SUCCESS
from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.source import files as source_files
from collector.exchange.source.model import LIBRARY, SourceItem, SourceRules, SourceTasks, SourceTrajectory
from collector.located_yaml.safe_load import MAX_BYTES, YamlError, safe_load
from collector.model.i18n import _
from collector.model.task import Task

_PARTS = (dgara_tasks.FORMAT, dgara_runs.FORMAT, dgara_collected.FORMAT)
_YAML = (".yaml", ".yml")
_SURE = 0.5
_EMPTY = "empty"
_WITHOUT_ENTRIES: tuple[dict[str, object], ...] = ({}, {"rules": []}, {"interference_library": []})


def detect(path: Path) -> float:
    """Sure when a folder holds at least two kinds of D-GARA's files."""
    if not path.is_dir():
        return 0.0
    kinds = {part.id for part in _PARTS if part.detect(path) >= _SURE}
    if (path / RULES).is_file():
        kinds.add(RULES)
    if kinds:  # other YAML files are only read beside something of D-GARA
        kinds |= {source.kind for source in _rule_files(path, ExchangeLog())}
    return 0.97 if len(kinds) > 1 else 0.0


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """The tasks first, so that runs find theirs; then rules, runs and collected trajectories."""
    tasks: list[Task] = []
    for listed in dgara_tasks.read(path, log):
        if isinstance(listed, SourceTasks):
            tasks += listed.tasks
        yield listed
    yield from _rule_files(path, log)
    for part, items in (
        (dgara_runs.FORMAT, dgara_runs.read(path, log)),
        (dgara_collected.FORMAT, dgara_collected.read(path, log, tasks)),
    ):
        for item in items:
            if isinstance(item, SourceTrajectory):
                item.format = part.id  # so that it is known again when its part is imported alone
            yield item


def _rule_files(root: Path, log: ExchangeLog) -> Iterator[SourceRules]:
    for path in source_files.files(root):
        if path.suffix.lower() not in _YAML:
            continue
        log.where = path.name
        try:
            kind = _kind(source_files.read_start(path, MAX_BYTES + 1), path.name)
        except (ExchangeError, YamlError) as error:
            log.use(path)
            log.add("rules-unreadable", _("A rule file was left out: {why}", why=error))
            continue
        if kind == _EMPTY:
            log.use(path)
        elif kind:
            log.use(path)
            yield SourceRules(path.name, kind, path)


def _kind(data: bytes, name: str) -> str:
    """What a YAML file of D-GARA holds; empty when it is another file, ``_EMPTY`` when it has no entry."""
    document = safe_load(data, name)
    if not isinstance(document, dict):
        return ""
    if document in _WITHOUT_ENTRIES:
        return _EMPTY if document or name == PurePosixPath(SUCCESS).name else ""
    if isinstance(document.get("rules"), list):
        return "injection"
    if isinstance(document.get("interference_library"), list):
        return LIBRARY
    entries = list(document.values())
    is_success = any(isinstance(entry, dict) and "conditions" in entry for entry in entries)
    return "success" if is_success and all(isinstance(entry, dict) for entry in entries) else ""
