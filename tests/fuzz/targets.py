"""What is read from others, and how: a table for :mod:`tests.fuzz.fuzz` and for the replay of its corpus."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from collector.adb.messages import MessageDecoder, ProtocolError
from collector.adb.scrcpy.control import ControlReader
from collector.adb.scrcpy.device_message import DeviceMessageReader
from collector.adb.scrcpy.stream import StreamReader
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.adb.shell_protocol import ShellPacketDecoder
from collector.adb.sync_protocol import SyncRequestDecoder
from collector.hierarchy.captions import describe_click
from collector.hierarchy.diff import diff_trees
from collector.hierarchy.dump_text import dump_text
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.selector_ranking import rank_selectors
from collector.hierarchy.uiautomator_xml import uiautomator_xml
from collector.model.app_data.document import parse_app_data
from collector.model.errors import UserError
from collector.model.geometry import Point
from collector.pictures.decoding import decode, exactly, rgb_pixels
from collector.pictures.errors import PictureError
from collector.pictures.formats import read_picture_file
from collector.virtual.apk.binary_xml import read_xml
from tests.fuzz import project_files, streams
from tests.fuzz.limits import ROOT
from tests.fuzz.project_files import project_file, trajectory_file

CORPUS = Path(__file__).with_name("corpus")


@dataclass(frozen=True)
class Target:
    """A reader, and what it may answer."""

    name: str
    read: Callable[[bytes], object]
    grammar: str = ""
    """How inputs are changed beside their bytes, see :mod:`tests.fuzz.mutations`."""
    refuses: tuple[type[Exception], ...] = (UserError,)
    """Errors that say why an input cannot be read. Any other error is a mistake."""
    samples: tuple[Path, ...] = ()
    """Files of the repository to begin with, beside those of the corpus."""

    @property
    def corpus(self) -> Path:
        return CORPUS / self.name

    def kept(self) -> list[Path]:
        """The inputs that are kept: small ones to begin with, and each that once went wrong."""
        return sorted(path for path in self.corpus.glob("*") if path.is_file())


def hierarchy(data: bytes) -> None:
    """Read a dump, and do with the tree what the window does with it."""
    tree = parse_tree(data)
    dump_text(data, len(tree.nodes))
    describe_click(tree, Point(5, 5))
    diff_trees(tree, parse_tree(data[: len(data) // 2]))
    for node in tree.nodes[:2]:
        rank_selectors(tree, node)
    again = parse_tree(uiautomator_xml(tree))
    assert len(again.nodes) == len(tree.nodes), (
        f"{len(tree.nodes)} nodes, written and read {len(again.nodes)}"
    )


def picture(data: bytes) -> None:
    """Size and pixels of a picture."""
    read_picture_file(data)
    decode(data)
    rgb_pixels(data, exactly(2))


def _golden(*names: str) -> tuple[Path, ...]:
    return tuple(project_files.GOLDEN / name for name in names)


def _of_project(
    name: str,
    *samples: Path,
    at: str = "",
    grammar: str = "yaml",
    refuses: tuple[type[Exception], ...] = (UserError,),
) -> Target:
    """A file of a project; ``at`` is its place there, if it is not that of its sample."""
    place = at or str(samples[0].relative_to(project_files.GOLDEN))
    return Target(name, project_file(place), grammar, refuses, samples)


def _of_trajectory(name: str, file: str, grammar: str = "lines", *, run: bool = False) -> Target:
    folder = "20260601-100000-run1" if run else "20260412-093000-0001"
    sample = project_files.GOLDEN / "trajectories" / "shop-1" / folder / file
    samples = (sample,) if sample.is_file() and sample.stat().st_size else ()
    return Target(name, trajectory_file(file, run=run), grammar, (UserError,), samples)


_SAMPLE = ROOT / "assets" / "sample"
_RULES = _SAMPLE / "rules"
_SCRCPY = tuple(map(ScrcpyVersion.parse, ("1.24", "2.7", "4.0")))
TARGETS: tuple[Target, ...] = (
    # What a phone gives.
    Target("hierarchy", hierarchy, "xml", (UserError,)),
    Target("picture", picture, "png", (PictureError,)),
    *(
        Target(
            f"video-{version.major}",
            streams.fed(lambda version=version: StreamReader(version, dummy_byte=True)),
        )
        for version in _SCRCPY
    ),
    Target("device-messages", streams.fed(DeviceMessageReader)),
    Target("adb-messages", streams.fed(lambda: MessageDecoder(1 << 20))),
    Target("adb-shell", streams.fed(ShellPacketDecoder)),
    Target("phone-texts", streams.phone_texts),
    Target("touches", streams.touches),
    # What clients send to the virtual phone.
    Target("adb-sync", streams.fed(SyncRequestDecoder)),
    Target("adb-services", streams.services, "", (ProtocolError,)),
    Target("control-messages", streams.fed(lambda: ControlReader(_SCRCPY[-1]))),
    Target("apk-manifest", read_xml, "", (ValueError,)),
    # What agents and models answer.
    Target("agent-answer", streams.agent_answer, "json", (ValueError, RecursionError)),
    Target("model-answer", streams.model_answer, "json", ()),
    # The files of a project.
    _of_project("settings-of-project", *_golden("project.yaml")),
    _of_project("tasks", *_golden("tasks.yaml"), _SAMPLE / "tasks.yaml"),
    _of_project("states", *_golden("rules/states.yaml"), _RULES / "states.yaml"),
    _of_project("injection-rules", _RULES / "injection.yaml", at="rules/injection.yaml"),
    _of_project("success-rules", _RULES / "success.yaml", at="rules/success.yaml"),
    _of_project("anomalies", at="anomalies/library.yaml"),
    _of_project(
        "experiments", *_golden("experiments/battery.yaml"), *sorted((_SAMPLE / "experiments").glob("*.yaml"))
    ),
    _of_project("queues", *_golden("queues/uncompleted.yaml")),
    _of_project("proposals", *_golden("proposals/shop-1/ann.yaml")),
    _of_project("definitions", *_golden("definitions/shop-1.yaml")),
    _of_project("audits", *_golden("audits/shop-1/cleo.yaml")),
    _of_project("judges", *sorted((ROOT / "assets" / "judges").glob("*.yaml")), at="judges/a.yaml"),
    _of_project("rubrics", at="judges/rubrics/shop-1.yaml"),
    _of_project(
        "variations", *sorted((ROOT / "assets" / "variations").glob("[a-d]*.yaml")), at="variations/a.yaml"
    ),
    _of_project("reports", at="imports/20260101-100000-dgara.json", grammar="json"),
    _of_project("moves", at=".trash/moves.json", grammar="json"),
    Target("whole-project", project_files.whole_project, "headed", ()),
    Target("texts", project_files.texts, "yaml", (), (_SAMPLE / "scripts" / "by-words.yaml",)),
    Target("settings-of-window", project_files.settings, "yaml", ()),
    # The files of a trajectory.
    _of_trajectory("header", "trajectory.json", "json"),
    _of_trajectory("header-of-run", "trajectory.json", "json", run=True),
    _of_trajectory("steps", "steps.jsonl"),
    _of_trajectory("steps-of-run", "steps.jsonl", run=True),
    _of_trajectory("edits", "edits.jsonl"),
    _of_trajectory("events", "events.jsonl"),
    _of_trajectory("events-of-run", "events.jsonl", run=True),
    _of_trajectory("annotations", "annotations/ann.json", "json"),
    _of_trajectory("judgements", "judgements/rules.jsonl", run=True),
    _of_trajectory("app-data", "app_data.json", "json"),
    Target("app-data-of-phone", parse_app_data, "json", (ValueError,)),
    Target("zipped-trajectory", project_files.zipped_trajectory, "zip"),
)
