"""What the forms in parquet share: their schema, and a file for each side with the pictures in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.training.sample_options import read_sample_options
from collector.trainer_files.rows import RowOf

Schema = Callable[[Any], Any]
"""The schema, given pyarrow."""


def write_parquet(
    part: ExportedPart, path: Path, log: ExchangeLog, title: str, row_of: Callable[[str], RowOf],
    schema_of: Schema, usage: Sequence[str],
) -> None:  # fmt: skip
    """Write an export in parquet; ``row_of`` is given the side."""
    from collector.exchange.training.training_export import TrainingForm, write_training
    from collector.trainer_files.waiting_rows import WaitingRows

    def writer(folder: Path, _content: str, side: str) -> WaitingRows:
        waiting = log.beside(folder, f"{side}.rows")
        return WaitingRows(
            waiting, log.append, row_of(side), schema_of, lambda _number: folder / f"{side}.parquet"
        )

    form = TrainingForm(title, writer, usage, has_pictures=False)
    content = part.options["content"]
    write_training(part, path, log, form, [content], lambda each: read_sample_options(part, each))


def fact_fields(arrow: Any, left_out: Sequence[str] = ()) -> Mapping[str, Any]:
    """The types of the facts of a sample."""
    from collector.exchange.training.action_samples import FACTS

    types = {str: arrow.string(), int: arrow.int32(), list: arrow.list_(arrow.int32())}
    return {name: types[kind] for name, kind in FACTS.items() if name not in left_out}


def images_field(arrow: Any) -> Any:
    """The type of the pictures of a row."""
    return arrow.list_(struct(arrow, bytes=arrow.binary(), path=arrow.string()))


def messages_field(arrow: Any) -> Any:
    """The type of messages with texts."""
    return arrow.list_(struct(arrow, role=arrow.string(), content=arrow.string()))


def struct(arrow: Any, **fields: Any) -> Any:
    """A struct with these fields, in their order."""
    return arrow.struct(list(fields.items()))
