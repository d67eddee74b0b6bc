"""What a format of others is: its name, what it can hold, its files, and how it is read and written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.format_sample import FormatSample, sample_by_reading, sample_by_text
from collector.exchange.source.model import SourceItem
from collector.host.extras import how_to_add, how_to_add_package
from collector.model.i18n import N_, _
from collector.plugins.options import PluginOption

TRAJECTORIES, TASKS, RULES, STATES, VERDICTS, BOXES, VARIATIONS = (
    "trajectories", "tasks", "rules", "states", "verdicts", "boxes", "variations",
)  # fmt: skip
CONTENTS = {
    TRAJECTORIES: N_("trajectories"),
    TASKS: N_("tasks"),
    RULES: N_("rules"),
    STATES: N_("essential states"),
    VERDICTS: N_("verdicts"),
    BOXES: N_("boxes"),
    VARIATIONS: N_("variations"),
}
"""What a format can hold, and its name for a person."""
IN, OUT, BOTH = "in", "out", "both"
FOR_TRAINING, FOR_BENCHMARKS, FOR_SCRIPTS, FOR_VIEWING, FOR_BOXES = (
    "training", "benchmarks", "scripts", "viewing", "boxes",
)  # fmt: skip
OF_DATA_SETS, OF_AGENTS, OF_PHONES, OTHER = "data-sets", "agents", "phones", "other"
USES = {
    FOR_TRAINING: N_("Training"),
    FOR_BENCHMARKS: N_("Benchmarks"),
    FOR_SCRIPTS: N_("Test scripts"),
    FOR_VIEWING: N_("Viewing and evaluation"),
    FOR_BOXES: N_("Boxes"),
    OF_DATA_SETS: N_("Published data sets"),
    OF_AGENTS: N_("Logs of agents"),
    OF_PHONES: N_("Recordings and dumps"),
    OTHER: N_("Others"),
}
"""What formats are for, and the titles of these groups, in the order of every list of formats."""


def _recognises_nothing(_path: Path) -> float:
    return 0.0


def _reads_nothing(_path: Path, _log: ExchangeLog) -> Iterator[SourceItem]:
    return iter(())


def _writes_nothing(_part: ExportedPart, _path: Path, _log: ExchangeLog) -> None:
    """Stands for a format that is read alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format that can be imported, exported, or both."""

    id: str
    title: str
    use: str = OTHER
    """The group it is listed in: a key of :data:`USES`."""
    holds: tuple[str, ...]
    """Keys of :data:`CONTENTS`."""
    files: str
    """Its files and folders, in a sentence without its full stop."""
    detect: Callable[[Path], float] = _recognises_nothing
    """How sure it is, 0 to 1, that a file or folder has this format."""
    read: Callable[[Path, ExchangeLog], Iterator[SourceItem]] = _reads_nothing
    """Read everything of this format at or below a path."""
    write: Callable[[ExportedPart, Path, ExchangeLog], None] = _writes_nothing
    """Write a part of a project to a path that does not exist yet; what is lost goes into the log."""
    ending: str = ""
    """Ending of the file it writes, as in ``.json``; empty for a folder."""
    entries: tuple[str, ...] = ()
    """Names at the top of the folder it writes, by which an earlier export is known; empty for a file."""
    divides: bool = False
    """Whether an export with a split is one export, which names the sides, and not one for each side."""
    hides_passwords: bool = False
    """Whether it leaves out what was typed into a password field, also of an import."""
    kind: str = ""
    """Kind of the trajectories that it writes, as ``golden``; empty for all."""
    options: tuple[PluginOption, ...] = ()
    """What may be chosen of an export."""
    sample: Callable[[Path, Mapping[str, Any]], FormatSample | None] | None = None
    """The first sample of an export at a path with its options; None for what its files say as they are."""
    licence: str = ""
    """What is known of the licence of published data in this format, in a sentence."""
    package: str = ""
    """Module that must be installed; empty for none."""
    extra: str = ""
    """The extra of Waymark that installs it."""

    @property
    def is_read(self) -> bool:
        return self.way in (IN, BOTH)

    @property
    def is_written(self) -> bool:
        return self.way in (OUT, BOTH)

    @property
    def way(self) -> str:
        """``in``, ``out`` or ``both``."""
        reads = self.read is not _reads_nothing
        writes = self.write is not _writes_nothing
        return BOTH if reads and writes else IN if reads else OUT

    def first_sample(self, path: Path, options: Mapping[str, Any] | None = None) -> FormatSample | None:
        """The first sample at ``path`` as a reader of this format sees it; None when there is none.

        ``options`` are those of an export that wrote it.
        """
        if self.sample is not None:
            return self.sample(path, options or {})
        found = sample_by_reading(self.read, path) if self.is_read else None
        return found or sample_by_text(path)

    @property
    def contents(self) -> str:
        """What it can hold, for a person."""
        return ", ".join(_(CONTENTS[name]) for name in self.holds)

    @property
    def missing(self) -> str:
        """One sentence for a package that is not installed; empty when nothing is missing."""
        if not self.package or find_spec(self.package) is not None:
            return ""
        return _("The format {title} needs the package {package}", title=_(self.title), package=self.package)

    def require_package(self) -> None:
        """Raise ExchangeError when the package it needs is not installed."""
        if self.missing:
            how = how_to_add(self.extra) if self.extra else how_to_add_package(self.package)
            raise ExchangeError(self.missing, "", how)

    def as_dict(self) -> dict[str, Any]:
        """As ``--json`` prints it."""
        return {
            "id": self.id,
            "title": _(self.title),
            "use": self.use,
            "way": self.way,
            "holds": list(self.holds),
            "files": _(self.files),
            "ending": self.ending,
            "options": [option.as_dict() for option in self.options],
            "licence": _(self.licence) if self.licence else "",
            "package": self.package,
            "extra": self.extra,
            "missing": self.missing,
        }
