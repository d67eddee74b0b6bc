"""The formats that can be imported and exported: the built-in ones, and those of other packages.

Another package adds a format by an entry point in the group ``waymark.formats`` that names a
:class:`~collector.exchange.format.Format`. A plug-in that cannot be loaded is left out, with a sentence that
says so; the other formats stay.
"""

from __future__ import annotations

import functools
import importlib
import itertools
import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import TypeVar

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.format import CONTENTS, USES, Format
from collector.exchange.source.model import SourceItem
from collector.located_yaml.nearest_word import nearest
from collector.model.cancellation import Cancelled
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.plugins.registry import LoadedKinds, installed_kinds

FORMATS_GROUP = "waymark.formats"
FORMER_GROUPS = ("waymark.importers", "waymark.exporters")
"""Groups of versions before, whose entry points are named as not understood."""
BUILT_IN_FORMATS = (
    "dgara.export", "dgara.collected", "dgara.runs", "dgara.tasks", "aitk.export",
    "aitk.tasks", "formats.probench_tasks", "formats.droidbot", "formats.aitz", "formats.aitw",
    "formats.androidcontrol", "formats.androidcontrol_records", "formats.interdroid", "formats.llamatouch",
    "datasets.gui_odyssey", "datasets.amex", "datasets.mobiagent", "datasets.agent_hazard",
    "datasets.phone_safety", "datasets.mobile_robust_bench", "datasets.digidata", "datasets.page_sources",
    "datasets.weditor", "datasets.screen_videos",
    "agent_logs.android_lab", "agent_logs.spa_bench", "agent_logs.android_world", "agent_logs.mobile_world",
    "agent_logs.mobile_agent_bench", "agent_logs.mobilerun", "agent_logs.ui_venus", "agent_logs.swe_agent",
    "agent_logs.message_logs", "agent_logs.atif", "formats.mobiflow_export", "openapps.folder",
    "scripts.uiautomator2",
    "scripts.adb_shell", "scripts.appium", "scripts.maestro", "scripts.midscene",
    "viewing.inspect_logs", "viewing.mlflow_store", "viewing.wandb_runs", "viewing.tables",
    "viewing.rerun_recordings",
    "training.llama_factory", "training.trl", "training.ms_swift", "training.hugging_face", "training.verl",
    "training.easyr1", "formats.a3rm_windows", "boxes.coco", "boxes.yolo", "boxes.label_studio",
    "boxes.labelme", "formats.plain_folder",
)  # fmt: skip
"""Modules of this package with a ``FORMAT``; of formats that are equally sure the first one wins."""
Result = TypeVar("Result")
_log = logging.getLogger(__name__)


@functools.cache
def formats() -> LoadedKinds[Format]:
    """Every format by its id; loaded once."""
    modules = (importlib.import_module(f"collector.exchange.{name}") for name in BUILT_IN_FORMATS)
    found: dict[str, Format] = {module.FORMAT.id: module.FORMAT for module in modules}
    installed = installed_kinds(FORMATS_GROUP, Format, found, _check)
    found.update(installed.kinds)
    guarded = {name: _guarded(entry) for name, entry in found.items()}
    return LoadedKinds(guarded, (*installed.problems, *_former_plugins()))


def listed_formats() -> Mapping[str, Format]:
    """Every format by its id, those of one use together, as every list has them."""
    known, uses = formats().kinds, list(USES)
    return dict(sorted(known.items(), key=lambda item: uses.index(item[1].use)))


def read_formats() -> Mapping[str, Format]:
    """The formats that can be imported, by id, as lists have them."""
    return {name: entry for name, entry in listed_formats().items() if entry.is_read}


def written_formats() -> Mapping[str, Format]:
    """The formats that can be exported, by id, as lists have them."""
    return {name: entry for name, entry in listed_formats().items() if entry.is_written}


def of_each_use(entries: Iterable[Format]) -> Iterator[tuple[str, list[Format]]]:
    """Listed formats in groups, each with its title."""
    for use, group in itertools.groupby(entries, lambda entry: entry.use):
        yield _(USES[use]), list(group)


def no_format(name: str, known: Collection[str]) -> ExchangeError:
    """The error for a format that is not known: which one may be meant, and where they are listed."""
    near = nearest(name, known)
    to_do = _("`waymark project formats` lists them all")
    if near:
        to_do = _("Did you mean {word}? `waymark project formats` lists them all", word=near)
    return ExchangeError(_("There is no format {name}", name=name), "; ".join(formats().problems), to_do)


def _check(entry: Format, value: str) -> None:
    unknown = sorted(set(entry.holds) - set(CONTENTS))
    if unknown:
        raise UserError(
            _("{value} holds {unknown}, which is no content", value=value, unknown=", ".join(unknown)),
            "",
            _("Use of: {known}", known=", ".join(CONTENTS)),
        )
    if entry.use not in USES:
        raise UserError(
            _("{value} is for {use}, which is no group of formats", value=value, use=entry.use),
            "",
            _("Use one of: {known}", known=", ".join(USES)),
        )


def _former_plugins() -> Iterator[str]:
    for group in FORMER_GROUPS:
        for entry in metadata.entry_points(group=group):
            yield _(
                "The plug-in {name} was left out: the entry point {group} is no longer read; "
                "name a Format by {new}",
                name=entry.name,
                group=group,
                new=FORMATS_GROUP,
            )


def _guarded(entry: Format) -> Format:
    """Wrap a format, so that its unexpected errors become an :class:`ExchangeError` and no crash."""

    @functools.wraps(entry.detect)
    def detect(path: Path) -> float:
        try:
            return float(entry.detect(path))
        except (UserError, Cancelled):
            raise
        except Exception as error:  # noqa: BLE001 - it must not keep other formats from being found
            _log.warning("the plug-in %s failed on %s: %s: %s", entry.id, path, type(error).__name__, error)
            _log.info("where the plug-in %s failed", entry.id, exc_info=True)
            return 0.0

    @functools.wraps(entry.read)
    def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
        items = iter(entry.read(path, log))
        while (item := _with_clear_errors(entry, lambda: next(items, None))) is not None:
            yield item

    @functools.wraps(entry.write)
    def write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
        # Errors of the disk are explained by whoever asked for the export.
        _with_clear_errors(entry, lambda: entry.write(part, path, log), passed=OSError)

    guarded = replace(entry, detect=detect, read=read) if entry.is_read else entry
    return replace(guarded, write=write) if entry.is_written else guarded


def _with_clear_errors(
    entry: Format, function: Callable[[], Result], passed: type[Exception] | tuple[()] = ()
) -> Result:
    try:
        return function()
    except (UserError, Cancelled):
        raise
    except passed:
        raise
    except Exception as error:
        _log.info("the format %s failed", entry.id, exc_info=True)
        raise ExchangeError(
            _("{title} could not be worked on to its end", title=_(entry.title)),
            f"{type(error).__name__}: {error}",
            _("Tell the author of this format; what was saved before is kept"),
        ) from error
