"""Write the boxes of an export: what all forms share, their options and their card."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from collector import __version__
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.format import BOXES, TRAJECTORIES
from collector.model.i18n import N_, _
from collector.plugins.options import PluginOption
from collector.trainer_files.card import CARD, card_text, table

if TYPE_CHECKING:
    from collector.exchange.boxes.boxed_screens import BoxedScreen  # loads numpy

HOLDS = (TRAJECTORIES, BOXES)
_CLASS, _ONE = "class", "one"
_COUNTS = "counts.jsonl"
BOX_OPTIONS = (
    PluginOption("visible", bool, True, N_("Only nodes that can be seen, cut to what can be seen of them"),
                 title=N_("Only what can be seen")),
    PluginOption("clickable", bool, False, N_("Only nodes that can be clicked"),
                 title=N_("Only what can be clicked")),
    PluginOption("leaf", bool, False, N_("Only nodes without children"), title=N_("Only leaves")),
    PluginOption("classes", str, _CLASS, N_("The class of a box: that of its node, or one for all"),
                 choices=(_CLASS, _ONE), title=N_("Class of a box"),
                 choice_titles=(N_("that of its node"), N_("one for all"))),
    PluginOption("license", str, "", N_("Licence of the data set, for its card"), title=N_("Licence")),
)  # fmt: skip


class BoxWriter(Protocol):
    """Writes screens in a form."""

    def folder(self, side: str) -> Path:
        """Where the pictures of a side go."""

    def add(self, side: str, screen: BoxedScreen) -> None: ...

    def finish(self, sides: Sequence[str]) -> None:
        """Write what holds for all; the sides are those that have screens."""


def write_boxes(
    part: ExportedPart,
    path: Path,
    log: ExchangeLog,
    title: str,
    make: Callable[[Path, ExchangeLog], BoxWriter],
) -> None:
    """Write the boxes of each side of a part into the folder ``path``."""
    from collector.exchange.boxes.boxed_screens import BoxedScreens
    from collector.exchange.boxes.node_boxes import BoxChoice
    from collector.exchange.exports.exported_trajectories import exported_trajectories

    path.mkdir(parents=True, exist_ok=True)
    options = part.options
    choice = BoxChoice(options["visible"], options["clickable"], options["leaf"])
    writer, counts_file = make(path, log), log.beside(path, _COUNTS)
    for side, own in part.sides.items():
        is_one = options["classes"] == _ONE
        screens = BoxedScreens(writer.folder(side), log, choice, is_one, own.elsewhere)
        for exported in exported_trajectories(own, log):
            counted = [0, 0]
            for screen in screens.of(exported.stored):
                writer.add(side, screen)
                counted = [counted[0] + 1, counted[1] + len(screen.boxes)]
            log.append(counts_file, f"{json.dumps([side, *counted])}\n".encode())
    counts = _counts(counts_file, part.sides)
    writer.finish([side for side, (_trajectories, screens_, _boxes) in counts.items() if screens_])
    if not any(screens_ for _trajectories, screens_, _boxes in counts.values()):
        log.add("no-boxes", _("No screen has both a picture and a tree"), severity=NOTE)
    (path / CARD).write_text(_card(part, title, counts), "utf-8", newline="\n")


def _counts(file: Path, sides: Iterable[str]) -> dict[str, tuple[int, int, int]]:
    """Trajectories, pictures and boxes of each side."""
    counts = dict.fromkeys(sides, (0, 0, 0))
    for side, screens, boxes in _lines(file):
        trajectories, before, found = counts[side]
        counts[side] = (trajectories + 1, before + screens, found + boxes)
    return counts


def _lines(file: Path) -> Iterator[tuple[str, int, int]]:
    if file.exists():
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                side, screens, boxes = json.loads(line)
                yield side, screens, boxes


def _card(part: ExportedPart, title: str, counts: dict[str, tuple[int, int, int]]) -> str:
    said = ", ".join(
        f"`{name}`: `{part.options[name]}`" for name in ("visible", "clickable", "leaf", "classes")
    )
    paragraphs = [
        f"Written by Waymark Studio {__version__} from the project `{part.project.name}`, as {title}. Each "
        "picture is there once, with a box for each node of its accessibility tree. What lies off the screen "
        "is cut away, and so is what lies under another element when only what can be seen is asked for. "
        f"{said}.",
        "",
        table(
            ("Side", "Trajectories", "Pictures", "Boxes"), [(side, *each) for side, each in counts.items()]
        ),
    ]
    name = f"{part.project.name}: boxes of elements"
    return card_text(name, paragraphs, licence=part.options["license"], category="object-detection")
