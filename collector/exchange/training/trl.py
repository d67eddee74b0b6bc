"""TRL: conversational samples with pictures, and pairs with a prompt, a chosen and a rejected answer."""

from __future__ import annotations

from pathlib import Path

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.training.line_forms import training_format, write_lines
from collector.exchange.training.sample_options import sample_options
from collector.model.i18n import N_
from collector.trainer_files.rows import trl_row

_USAGE = (
    'In this folder `load_dataset("json", data_files="train.jsonl")` reads it; '
    '`cast_column("images", List(Image()))` opens the pictures. The format `hf-datasets` has them inside.',
)


def _write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    write_lines(part, path, log, "TRL", trl_row, _USAGE)


FORMAT = training_format(
    "trl",
    N_("TRL conversations"),
    _write,
    sample_options(),
)
