"""EasyR1: a problem, its pictures and the answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.training.line_forms import PARQUET_ENTRIES, PARQUET_FILES, training_format
from collector.exchange.training.parquet_forms import fact_fields, images_field, write_parquet
from collector.exchange.training.sample_options import CORRECTIONS, GROUNDING, STEPS, sample_options
from collector.model.i18n import N_
from collector.trainer_files.rows import RowOf, easyr1_row
from collector.trainer_files.writers import PARQUET_EXTRA, PARQUET_PACKAGE

_USAGE = (
    "`data.train_files=train.parquet` with the keys `problem`, `images` and `answer`, which EasyR1 expects.",
)


def _write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    write_parquet(part, path, log, "EasyR1", _row_of, _schema, _USAGE)


def _row_of(_side: str) -> RowOf:
    return easyr1_row


def _schema(arrow: Any) -> Any:
    text = arrow.string()
    return arrow.schema({
        "problem": text, "images": images_field(arrow), "answer": text, **fact_fields(arrow),
    })  # fmt: skip


FORMAT = training_format(
    "easyr1",
    N_("EasyR1 rows"),
    _write,
    sample_options((STEPS, GROUNDING, CORRECTIONS)),
    files=PARQUET_FILES,
    entries=PARQUET_ENTRIES,
    package=PARQUET_PACKAGE,
    extra=PARQUET_EXTRA,
)
