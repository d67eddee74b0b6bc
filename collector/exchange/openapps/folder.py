"""The ``config/`` folder of a checkout: tasks with targets, and variations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import FOR_BENCHMARKS, TASKS, VARIATIONS, Format
from collector.exchange.openapps.composition import ConfigFolder
from collector.exchange.openapps.tasks import FOLDER, read_tasks
from collector.exchange.openapps.tasks_export import CONFIG, write
from collector.exchange.openapps.variations import read_variations
from collector.exchange.source import files as source_files
from collector.exchange.source.model import SourceItem, SourceTasks
from collector.model.i18n import N_, _

_LAUNCHERS = ("config_parallel_tasks", "config_parallel_tasks_across_goal_variations")
_OF_PROGRAM = ("mode", "agent", "browsergym_env_args")
"""Folders about OpenApps' own launcher and agents."""


def detect(path: Path) -> float:
    """Sure when the folder, or ``config`` in it, has tasks with ``_target_``."""
    root = _root(path)
    if root is None:
        return 0.0
    texts = (source_files.read_text(file, 4000) for file in sorted((root / FOLDER).glob("*.yaml")))
    return 0.95 if any("open_apps.tasks" in text for text in texts) else 0.0


def _root(path: Path) -> Path | None:
    folders = (path, path / "config", *sorted(path.glob("*/config"))[:10]) if path.is_dir() else ()
    return next((folder for folder in folders if (folder / FOLDER).is_dir()), None)


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """The tasks of all files, then the variations."""
    root = _root(path)
    if root is None:
        return
    config = ConfigFolder(root)
    tasks = read_tasks(config, log)
    yield SourceTasks(FOLDER, tasks.tasks)
    if (root / "apps").is_dir():  # an export has tasks alone
        yield from read_variations(config, tasks, log)
    log.where = ""
    for name in _LAUNCHERS:
        if config.has(name):
            log.use(root / f"{name}.yaml")
            what = _("{name} says what OpenApps launches; an experiment does it here", name=f"{name}.yaml")
            log.add("launcher-left-out", what, severity=NOTE)
    log.use(root / "config.yaml", *(root / f"{name}.yaml" for name in config.names("")), *config.used)
    log.use(*(file for folder in _OF_PROGRAM for file in source_files.files(root / folder)))
    if root != path:
        log.use(*(file for file in source_files.files(path) if not file.is_relative_to(root)))


FORMAT = Format(
    id="openapps",
    title=N_("OpenApps configuration"),
    use=FOR_BENCHMARKS,
    holds=(TASKS, VARIATIONS),
    files=N_("The config/ folder of a checkout: tasks with targets, contents and variations"),
    detect=detect,
    read=read,
    write=write,
    entries=(CONFIG,),
    licence=N_("OpenApps is under CC BY-NC 4.0"),
)
