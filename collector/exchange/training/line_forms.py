"""What the forms in lines of JSON share: a file for each side, pictures beside them, and a card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.format import BOXES, FOR_TRAINING, TASKS, TRAJECTORIES, Format
from collector.exchange.training.sample_options import read_sample_options
from collector.exchange.training.training_sample import training_sample
from collector.model.dataset.split import SIDES
from collector.model.i18n import N_
from collector.plugins.options import PluginOption
from collector.trainer_files.card import CARD
from collector.trainer_files.rows import PICTURES, RowOf

LINE_FILES = N_("A JSON Lines file for each side, pictures/, and a card")
LINE_ENTRIES = (CARD, PICTURES, *(f"{side}.jsonl" for side in SIDES))
PARQUET_FILES = N_("A parquet file for each side with the pictures in it, and a card")
PARQUET_ENTRIES = (CARD, *(f"{side}.parquet" for side in SIDES))
_HOLDS = (TRAJECTORIES, TASKS, BOXES)

Write = Callable[[ExportedPart, Path, ExchangeLog], None]


def training_format(
    name: str, title: str, write: Write, options: tuple[PluginOption, ...], *,
    files: str = LINE_FILES, entries: tuple[str, ...] = LINE_ENTRIES, package: str = "", extra: str = "",
) -> Format:  # fmt: skip
    """The format with the id ``name``, by default in lines of JSON."""
    return Format(
        id=name, title=title, use=FOR_TRAINING, holds=_HOLDS, files=files, write=write, entries=entries,
        divides=True, hides_passwords=True, sample=training_sample, options=options, package=package,
        extra=extra,
    )  # fmt: skip


def write_lines(
    part: ExportedPart, path: Path, log: ExchangeLog, title: str, row_of: RowOf, usage: Sequence[str], *,
    places_apart: bool = False, finish: Callable[..., None] | None = None,
) -> None:  # fmt: skip
    """Write an export in lines of JSON."""
    from collector.exchange.training.training_export import TrainingForm, write_training
    from collector.trainer_files.writers import LineWriter

    content = part.options["content"]
    form = TrainingForm(
        title, lambda folder, _content, side: LineWriter(folder / f"{side}.jsonl", row_of, log.append), usage
    )  # fmt: skip
    if finish is not None:
        from dataclasses import replace

        form = replace(form, finish=finish)
    write_training(
        part, path, log, form, [content],
        lambda each: read_sample_options(part, each, places_apart=places_apart),
    )  # fmt: skip
