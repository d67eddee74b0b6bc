"""Rerun's recordings: an ``.rrd`` for each trajectory, with screens, trees, touches and verdicts.

Written by ``rerun-sdk`` itself, because its bytes are described nowhere else. Everything stands on two
timelines: ``time`` since the recording began, and ``step``, counted from 1 as in the window.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.copied_screens import CopiedScreens
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.exported_trajectories import (
    OUTCOME,
    ExportedTrajectory,
    exported_trajectories,
    is_success,
    report_people,
)
from collector.exchange.format import FOR_VIEWING, TRAJECTORIES, VERDICTS, Format
from collector.hierarchy.captions import caption
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.action import Action, Drag, Swipe
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.i18n import N_, _
from collector.model.trajectory import Step
from collector.model.verdicts.judgement import REACHED, STATE, TASK, Judgement
from collector.pictures.formats import read_picture_file
from collector.store.trajectory import codec

if TYPE_CHECKING:
    from collector.model.tree import Tree

RECORDINGS = "recordings"
_APPLICATION = "waymark"
_FORMATS = ("PNG", "JPEG")
"""Encoded pictures that every viewer of Rerun shows."""
_TOUCH, _NODE, _CLICKABLE = (255, 60, 60), (120, 120, 120, 90), (60, 130, 255, 160)
_GOOD, _BAD, _UNSURE = "INFO", "ERROR", "WARN"


def _write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    (path / RECORDINGS).mkdir(parents=True, exist_ok=True)
    for exported in exported_trajectories(part, log):
        target = path / RECORDINGS / f"{exported.place}.rrd"
        target.parent.mkdir(exist_ok=True)
        log.makes(target)
        _Recording(exported, log).write(target)
        report_people(exported, log)


class _Recording:
    """One trajectory as a recording."""

    def __init__(self, exported: ExportedTrajectory, log: ExchangeLog) -> None:
        import rerun

        self._rerun, self._exported, self._log = rerun, exported, log
        self._screens = CopiedScreens(exported.stored, Path(), log, _FORMATS)
        self._stream = rerun.RecordingStream(_APPLICATION, recording_id=exported.place, send_properties=False)
        self._size = Size(0, 0)
        """Of the picture that is shown."""

    def write(self, target: Path) -> None:
        rerun, stream = self._rerun, self._stream
        stream.save(target)
        stream.set_log_time_enabled(False)
        stream.send_recording_name(self._exported.place)
        stream.log("task", rerun.TextDocument(self._exported.instruction), static=True)
        header = codec.dump_document(codec.header_to_document(self._exported.header)).decode()
        stream.log("trajectory", rerun.TextDocument(header), static=True)
        verdicts = self._verdicts_by_step()
        for index, step in enumerate(self._exported.steps):
            stream.set_time("time", duration=step.t_ms / 1000)
            stream.set_time("step", sequence=index + 1)
            self._log_screen(index, step)
            self._log_act(step)
            for judgement in verdicts.pop(index, ()):
                self._log_verdict(judgement)
        if OUTCOME in (outcome := self._exported.task_verdicts):
            self._log_text(f"verdicts/{OUTCOME}", outcome[OUTCOME], is_success(outcome[OUTCOME]))
        self._log_events()
        stream.flush()
        stream.disconnect()

    def _log_screen(self, index: int, step: Step) -> None:
        rerun, stream = self._rerun, self._stream
        picture = self._screens.shown(index)
        if picture is None:
            stream.log("screen", rerun.Clear(recursive=True))
            self._size = step.state.size
        else:
            self._size = read_picture_file(picture.data).size
            media = f"image/{picture.format.lower()}"
            stream.log("screen", rerun.EncodedImage(contents=picture.data, media_type=media))
        tree = self._tree(index, step)
        boxes = self._boxes(step, tree) if tree is not None else None
        stream.log("screen/nodes", boxes or rerun.Clear(recursive=False))
        place = " / ".join(filter(None, (step.state.package, step.state.activity)))
        if place:
            stream.log("app", rerun.TextLog(place))

    def _tree(self, index: int, step: Step) -> Tree | None:
        """The tree of a state, whose dump is logged as it is."""
        try:
            data = self._exported.stored.tree(step)
        except UserError as error:
            self._log.add("file-missing", _("A file was left out: {why}", why=error), step=index)
            data = None
        dump = self._rerun.TextDocument(data.decode(errors="replace")) if data is not None else None
        self._stream.log("tree", dump or self._rerun.Clear(recursive=False))
        try:
            return parse_tree(data) if data is not None else None
        except HierarchyError as error:
            self._log.add("tree-not-drawn", _("A tree is not drawn: {why}", why=error), step=index)
            return None

    def _boxes(self, step: Step, tree: Tree) -> Any:
        """The leaves and clickable nodes of a tree as boxes on the picture; None when there are none."""
        across, down = self._scale(step)
        corners, sizes, labels, colors = [], [], [], []
        for node in tree:
            if node.bounds is None or node.bounds.is_empty or (node.children and not node.clickable):
                continue
            corners.append((node.bounds.left * across, node.bounds.top * down))
            sizes.append((node.bounds.width * across, node.bounds.height * down))
            labels.append("" if node.password else node.label)
            colors.append(_CLICKABLE if node.clickable else _NODE)
        if not corners:
            return None
        return self._rerun.Boxes2D(mins=corners, sizes=sizes, labels=labels, colors=colors, show_labels=False)

    def _scale(self, step: Step) -> tuple[float, float]:
        """Pixels of the picture for one of the phone: mirrors send smaller pictures."""
        size = step.state.size
        if size.is_empty or self._size.is_empty:
            return 1.0, 1.0
        return self._size.width / size.width, self._size.height / size.height

    def _log_act(self, step: Step) -> None:
        rerun, stream, turn = self._rerun, self._stream, step.agent
        if turn is not None and (turn.thought or turn.raw):
            stream.log("agent", rerun.TextLog(turn.thought or turn.raw))
        if step.action is not None:
            words = " ".join((step.description or caption(step.action)).split())
            stream.log("actions", rerun.TextLog(words))
        touch = self._touch(step, step.action) if step.action is not None else None
        stream.log("screen/touch", touch or rerun.Clear(recursive=False))

    def _touch(self, step: Step, action: Action) -> Any:
        """A point, or an arrow of a stroke, on the picture; None for what touches nothing."""
        point = action.point
        if point is None:
            return None
        across, down = self._scale(step)
        start = (point.x * across, point.y * down)
        if isinstance(action, Swipe | Drag):
            end = (action.end.x * across, action.end.y * down)
            vector = (end[0] - start[0], end[1] - start[1])
            return self._rerun.Arrows2D(
                origins=[start], vectors=[vector], colors=[_TOUCH], labels=[action.kind]
            )
        radius = max(self._size.width / 50, 4.0)
        return self._rerun.Points2D([start], radii=[radius], colors=[_TOUCH], labels=[action.kind])

    def _verdicts_by_step(self) -> dict[int, list[Judgement]]:
        """The judgements at the step that each is about; those of the whole trajectory at its last one."""
        last = max(len(self._exported.steps) - 1, 0)
        found: dict[int, list[Judgement]] = {}
        for judgement in self._exported.judgements:
            step = judgement.subject.last
            index = last if step is None else min(max(step, 0), last)
            found.setdefault(index, []).append(judgement)
        return found

    def _log_verdict(self, judgement: Judgement) -> None:
        subject = judgement.subject
        good = is_success(judgement.verdict) if subject.kind == TASK else None
        if subject.kind == STATE:
            good = judgement.verdict == REACHED
        words = " ".join(filter(None, (subject.kind, subject.state, judgement.verdict, judgement.reason)))
        self._log_text(f"verdicts/{judgement.judge}", words, good)

    def _log_events(self) -> None:
        """What happened beside the steps, at its own time."""
        for event in self._exported.stored.events():
            at, kind = event.get("t_ms"), str(event.get("kind") or "event")
            if isinstance(at, int | float):
                self._stream.reset_time()
                self._stream.set_time("time", duration=at / 1000)
                text = codec.dump_line(event).decode().strip()
                self._stream.log(f"events/{kind}", self._rerun.TextLog(text))

    def _log_text(self, entity: str, text: str, good: bool | None) -> None:
        level = _UNSURE if good is None else _GOOD if good else _BAD
        self._stream.log(entity, self._rerun.TextLog(text, level=level))


FORMAT = Format(
    id="rerun",
    title=N_("Rerun recordings"),
    use=FOR_VIEWING,
    holds=(TRAJECTORIES, VERDICTS),
    files=N_("An .rrd file for each trajectory: screens, trees, touches and verdicts on one timeline"),
    write=_write,
    entries=(RECORDINGS,),
    package="rerun",
    extra="rerun",
)
