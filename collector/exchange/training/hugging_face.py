"""Hugging Face ``datasets``: parquet with pictures and features, a config for each content, and a card."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.training.line_forms import training_format
from collector.exchange.training.parquet_forms import fact_fields, images_field, struct
from collector.exchange.training.sample_options import (
    CONTENTS,
    PREFERENCES,
    STEPS,
    content_option,
    read_sample_options,
    shared_options,
)
from collector.model.i18n import N_
from collector.trainer_files.card import CARD
from collector.trainer_files.conversation import TrainingConversation
from collector.trainer_files.rows import Row, in_row, trl_messages
from collector.trainer_files.writers import PARQUET_EXTRA, PARQUET_PACKAGE

_SHARD_BYTES = 500_000_000
"""A further file begins once the pictures of one have so many bytes."""
_FILES = "{content}/{side}-*.parquet"
_USAGE = (
    '`load_dataset(FOLDER, "steps")` loads a config, with `streaming=True` row by row. `messages` (in '
    "`preferences` `prompt`, `chosen` and `rejected`) and `images` are as TRL reads them; the other columns "
    "say where a row comes from: `action` is the action in pixels of the device, as Waymark keeps it, and "
    "`target` the box of what was touched.",
)


def _row(sample: TrainingConversation) -> Row:
    return {**sample.facts, "images": in_row(sample.pictures), **trl_messages(sample)}


def _messages(content: str) -> Sequence[str]:
    return ("prompt", "chosen", "rejected") if content == PREFERENCES else ("messages",)


def _schema(content: str, arrow: Any) -> Any:
    part = struct(arrow, type=arrow.string(), text=arrow.string())
    message = struct(arrow, role=arrow.string(), content=arrow.list_(part))
    fields = {
        **fact_fields(arrow), "images": images_field(arrow),
        **dict.fromkeys(_messages(content), arrow.list_(message)),
    }  # fmt: skip
    features = json.dumps({"info": {"features": _features(content, fact_fields(arrow))}})
    return arrow.schema(fields, metadata={"huggingface": features})


def _features(content: str, facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """The features as ``datasets`` keeps them with a parquet file; lists in the form of every version."""
    text = {"dtype": "string", "_type": "Value"}
    kinds = {"string": text, "int32": {"dtype": "int32", "_type": "Value"}}
    message = {"role": text, "content": [{"type": text, "text": text}]}
    return {
        **{name: kinds.get(str(kind), [kinds["int32"]]) for name, kind in facts.items()},
        "images": [{"_type": "Image"}],
        **{name: [message] for name in _messages(content)},
    }


def _write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    from collector.exchange.training.training_export import TrainingForm, write_training
    from collector.trainer_files.waiting_rows import WaitingRows

    def writer(folder: Path, content: str, side: str) -> WaitingRows:
        own = folder / content
        own.mkdir(exist_ok=True)
        return WaitingRows(
            log.beside(folder, f"{content}-{side}.rows"), log.append, _row, partial(_schema, content),
            lambda number: own / f"{side}-{number:05}.parquet", _SHARD_BYTES,
        )  # fmt: skip

    contents = list(dict.fromkeys(part.options["content"])) or [STEPS]
    form = TrainingForm("Hugging Face datasets", writer, _USAGE, has_pictures=False, files=_FILES)
    write_training(part, path, log, form, contents, lambda each: read_sample_options(part, each))


FORMAT = training_format(
    "hf-datasets",
    N_("Hugging Face datasets"),
    _write,
    (
        content_option(list, CONTENTS, [STEPS], N_("What a sample is; each becomes a config")),
        *shared_options(),
    ),
    files=N_("A folder of parquet files for each content, divided into sides, and a card"),
    entries=(CARD, *CONTENTS),
    package=PARQUET_PACKAGE,
    extra=PARQUET_EXTRA,
)  # fmt: skip
