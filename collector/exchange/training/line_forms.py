"""What the forms in lines of JSON share: a file for each side, pictures beside them, and a card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exported_part import ExportedPart
from collector.exchange.format import BOXES, TASKS, TRAJECTORIES
from collector.exchange.training.sample_options import read_sample_options
from collector.model.dataset.split import SIDES
from collector.model.i18n import N_
from collector.trainer_files.card import CARD
from collector.trainer_files.rows import PICTURES, RowOf

LINE_FILES = N_("A JSON Lines file for each side, pictures/, and a card")
LINE_ENTRIES = (CARD, PICTURES, *(f"{side}.jsonl" for side in SIDES))
PARQUET_FILES = N_("A parquet file for each side with the pictures in it, and a card")
PARQUET_ENTRIES = (CARD, *(f"{side}.parquet" for side in SIDES))
HOLDS = (TRAJECTORIES, TASKS, BOXES)


def write_lines(
    part: ExportedPart, path: Path, log: ExchangeLog, title: str, row_of: RowOf, usage: Sequence[str], *,
    places_apart: bool = False, finish: Callable[..., None] | None = None,
) -> None:  # fmt: skip
    """Write an export in lines of JSON."""
    from collector.exchange.training.training_export import TrainingForm, write_training
    from collector.trainer_files.writers import LineWriter

    content = part.options["content"]
    form = TrainingForm(
        title, lambda folder, _content, side: LineWriter(folder / f"{side}.jsonl", row_of, log.append), usage,
        goes_on=True,
    )  # fmt: skip
    if finish is not None:
        from dataclasses import replace

        form = replace(form, finish=finish)
    write_training(
        part, path, log, form, [content],
        lambda each: read_sample_options(part, each, places_apart=places_apart),
    )  # fmt: skip
