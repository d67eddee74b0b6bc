"""The formats that can be imported and exported: the built-in ones, and those of other packages.

Another package adds a format by an entry point in the group ``waymark.importers`` or ``waymark.exporters``
that names an :class:`Importer` or an :class:`Exporter`. A plug-in that cannot be loaded is left out, with a
sentence that says so; the other formats stay.
"""

from __future__ import annotations

import functools
import importlib
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.source.model import SourceItem
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.plugins.registry import LoadedKinds, installed_kinds
from collector.store.project.project import Project

IMPORTERS_GROUP = "waymark.importers"
EXPORTERS_GROUP = "waymark.exporters"
BUILT_IN_IMPORTERS = (
    "openapps.folder", "dgara.folder", "dgara.collected", "dgara.runs", "dgara.tasks", "aitk.trajectories",
    "aitk.tasks", "formats.probench_tasks", "formats.droidbot", "formats.aitz", "formats.androidcontrol",
    "formats.interdroid", "formats.llamatouch", "formats.plain_folder",
)  # fmt: skip
"""Modules of this package with an ``IMPORTER``; of formats that are equally sure the first one wins."""
BUILT_IN_EXPORTERS = (
    "dgara.export",
    "aitk.export",
    "aitk.tasks",
    "dgara.tasks",
    "formats.probench_tasks",
    "formats.a3rm_windows",
)
"""Modules of this package with an ``EXPORTER``."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Importer:
    """A format that can be imported."""

    id: str
    title: str
    detect: Callable[[Path], float]
    """How sure it is, 0 to 1, that a file or folder has this format."""
    read: Callable[[Path, ExchangeLog], Iterator[SourceItem]]
    """Read everything of this format at or below a path."""


@dataclass(frozen=True, slots=True)
class Exporter:
    """A format that can be exported."""

    id: str
    title: str
    write: Callable[[Project, Path, ExchangeLog], None]
    """Write a project to a path that does not exist yet; what the format cannot hold goes into the log."""
    ending: str = ""
    """Ending of the file it writes, as in ``.json``; empty for a folder."""
    entries: tuple[str, ...] = ()
    """Names at the top of the folder it writes, by which an earlier export is known; empty for a file."""


Format = TypeVar("Format", Importer, Exporter)
Result = TypeVar("Result")


@functools.cache
def importers() -> LoadedKinds[Importer]:
    """Every importer; loaded once."""
    return _load(Importer, BUILT_IN_IMPORTERS, "IMPORTER", IMPORTERS_GROUP)


@functools.cache
def exporters() -> LoadedKinds[Exporter]:
    """Every exporter; loaded once."""
    return _load(Exporter, BUILT_IN_EXPORTERS, "EXPORTER", EXPORTERS_GROUP)


def _load(kind: type[Format], modules: tuple[str, ...], attribute: str, group: str) -> LoadedKinds[Format]:
    built_in = [getattr(importlib.import_module(f"collector.exchange.{name}"), attribute) for name in modules]
    formats: dict[str, Format] = {entry.id: entry for entry in built_in}
    installed = installed_kinds(group, kind, formats)
    formats.update(installed.kinds)
    return LoadedKinds({name: _guarded(entry) for name, entry in formats.items()}, installed.problems)


def _guarded(entry: Format) -> Format:
    """Wrap a format, so that its unexpected errors become an :class:`ExchangeError` and no crash."""
    if isinstance(entry, Exporter):
        return replace(entry, write=_with_clear_errors(entry, entry.write))

    @functools.wraps(entry.detect)
    def detect(path: Path) -> float:
        try:
            return float(entry.detect(path))
        except UserError:
            raise
        except Exception:  # noqa: BLE001 - it must not keep other formats from being found
            _log.warning("the plug-in %s failed on %s", entry.id, path, exc_info=True)
            return 0.0

    @functools.wraps(entry.read)
    def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
        items = iter(entry.read(path, log))
        following = _with_clear_errors(entry, lambda: next(items, None))
        while (item := following()) is not None:
            yield item

    return replace(entry, detect=detect, read=read)


def _with_clear_errors(entry: Importer | Exporter, function: Callable[..., Result]) -> Callable[..., Result]:
    def guarded(*arguments: object) -> Result:
        try:
            return function(*arguments)
        except UserError:
            raise
        except Exception as error:
            if isinstance(entry, Exporter) and isinstance(error, OSError):
                raise  # of the disk, which whoever asked for the export explains
            _log.info("the format %s failed", entry.id, exc_info=True)
            raise ExchangeError(
                _("{title} could not be worked on to its end", title=entry.title),
                f"{type(error).__name__}: {error}",
                _("Tell the author of this format; what was saved before is kept"),
            ) from error

    return guarded
