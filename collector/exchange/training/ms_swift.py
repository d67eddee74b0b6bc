"""ms-swift: messages and images, with places in ``objects`` as real pixels, which swift scales itself."""

from __future__ import annotations

from pathlib import Path

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.training.line_forms import training_format, write_lines
from collector.exchange.training.sample_options import GROUNDING, sample_options
from collector.model.i18n import N_, _
from collector.plugins.options import PluginOption
from collector.trainer_files.rows import swift_row

_APART, _WRITTEN = "apart", "written"
_USAGE = (
    "Train in this folder with `--dataset train.jsonl`. Places stand in `objects` in pixels of their "
    "picture, and `<bbox>` in the text: swift writes them as the model does. For the Qwen models set "
    "`QWENVL_BBOX_FORMAT=new`, so that it writes `[x, y]`.",
)


def _write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    from collector.agents.translators.registry import DIALECTS
    from collector.exchange.training.written_answers import has_places_apart

    dialect, apart = DIALECTS[part.options["dialect"]], part.options["places"] == _APART
    if apart and not has_places_apart(dialect) and part.options["content"] != GROUNDING:
        text = _("ms-swift does not write places as {title} does: they stay in the text", title=dialect.title)
        log.add("places-written", text, severity=NOTE)
    write_lines(part, path, log, "ms-swift", swift_row, _USAGE, places_apart=apart)


FORMAT = training_format(
    "ms-swift",
    N_("ms-swift conversations"),
    _write,
    (
        *sample_options(),
        PluginOption("places", str, _APART, N_("Places apart, in pixels of the picture, or in the text"),
                     choices=(_APART, _WRITTEN), title=N_("Places"),
                     choice_titles=(N_("apart, in pixels"), N_("in the text"))),
    ),
)  # fmt: skip
