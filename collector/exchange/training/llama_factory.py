"""LLaMA-Factory: messages in its form ``sharegpt``, pictures beside them, and ``dataset_info.json``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.training.line_forms import LINE_ENTRIES, training_format, write_lines
from collector.exchange.training.sample_options import PREFERENCES, sample_options
from collector.model.i18n import N_
from collector.trainer_files.rows import dataset_info, llama_factory_row

_INFO = "dataset_info.json"
_USAGE = (
    "Name this folder as `dataset_dir` and `media_dir`, and `waymark_train` as `dataset`; set "
    "`image_max_pixels` so high that no picture is made smaller, because the answers hold its pixels.",
)


def _write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    write_lines(part, path, log, "LLaMA-Factory", llama_factory_row, _USAGE, finish=_finish)


def _finish(folder: Path, sides: Sequence[str], content: str) -> None:
    files = {f"waymark_{side}": f"{side}.jsonl" for side in sides}
    text = json.dumps(dataset_info(files, ranking=content == PREFERENCES), indent=2)
    (folder / _INFO).write_text(f"{text}\n", "utf-8", newline="\n")


FORMAT = training_format(
    "llama-factory",
    N_("LLaMA-Factory conversations"),
    _write,
    sample_options(),
    files=N_("dataset_info.json, a JSON Lines file for each side, pictures/, and a card"),
    entries=(*LINE_ENTRIES, _INFO),
)
