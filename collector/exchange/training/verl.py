"""verl: rows for reinforcement learning with what a reward compares, or messages for supervised training."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.training.line_forms import PARQUET_ENTRIES, PARQUET_FILES, training_format
from collector.exchange.training.parquet_forms import (
    fact_fields,
    images_field,
    messages_field,
    struct,
    write_parquet,
)
from collector.exchange.training.sample_options import CORRECTIONS, GROUNDING, STEPS, WHOLE, sample_options
from collector.model.i18n import N_
from collector.plugins.options import PluginOption
from collector.trainer_files.conversation import TrainingConversation
from collector.trainer_files.rows import Row, RowOf, verl_row, verl_supervised_row
from collector.trainer_files.writers import PARQUET_EXTRA, PARQUET_PACKAGE

_REINFORCEMENT, _SUPERVISED = "reinforcement", "supervised"
_USAGE = (
    "`data.train_files=train.parquet`. `reward_model.ground_truth` is the answer in the dialect; "
    "`extra_info` has the action in pixels of the device, its target's box and the size of the screen for a "
    "reward function of your own.",
)


def _write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    is_supervised = part.options["rows"] == _SUPERVISED
    rows = _supervised if is_supervised else _reinforcement
    write_parquet(part, path, log, "verl", rows, partial(_schema, is_supervised), _USAGE)


def _supervised(_side: str) -> RowOf:
    return verl_supervised_row


def _reinforcement(side: str) -> RowOf:
    def row(sample: TrainingConversation) -> Row:
        return verl_row(sample, f"waymark/{sample.facts['content']}", "gui-agent", side)

    return row


def _schema(is_supervised: bool, arrow: Any) -> Any:
    text, images, messages = arrow.string(), images_field(arrow), messages_field(arrow)
    if is_supervised:
        return arrow.schema({"messages": messages, "images": images, **fact_fields(arrow)})
    return arrow.schema({
        "data_source": text, "prompt": messages, "images": images, "ability": text,
        "reward_model": struct(arrow, style=text, ground_truth=text),
        "extra_info": struct(arrow, split=text, **fact_fields(arrow)),
    })  # fmt: skip


FORMAT = training_format(
    "verl",
    N_("verl rows"),
    _write,
    (
        *sample_options((STEPS, WHOLE, GROUNDING, CORRECTIONS)),
        PluginOption("rows", str, _REINFORCEMENT, N_("For reinforcement or for supervised learning"),
                     choices=(_REINFORCEMENT, _SUPERVISED), title=N_("Rows"),
                     choice_titles=(N_("for reinforcement"), N_("for supervised learning"))),
    ),
    files=PARQUET_FILES,
    entries=PARQUET_ENTRIES,
    package=PARQUET_PACKAGE,
    extra=PARQUET_EXTRA,
)  # fmt: skip
