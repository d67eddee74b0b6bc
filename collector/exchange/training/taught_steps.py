"""The steps of a recorded trajectory as a model would be asked for them, each with the answer it learns."""

from __future__ import annotations

import datetime as dt
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from collector.agents.agent import TREE, AgentEpisode, Observation, PastStep
from collector.agents.openai.chat_conversation import ChatConversation, ChatTurn
from collector.agents.openai.shown_picture import ShownPicture
from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.errors import NotExpressible
from collector.comparison.alignment.reading import read_tree
from collector.device.snapshot import TreeSnapshot
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_picture import exported_picture
from collector.exchange.exports.screens_elsewhere import ScreensElsewhere
from collector.exchange.plain_actions import is_plain
from collector.exchange.training.drawn_pictures import DrawnPictures
from collector.exchange.training.recorded_frame import RecordedFrame
from collector.exchange.training.sample_options import DESCRIBED, NOTHING, SampleOptions
from collector.exchange.training.written_answers import Misread, WrittenAnswer, write_answer
from collector.model.action import Action, Complete, Invalid, Scroll, Swipe, Type
from collector.model.episode import AgentTurn
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import Step
from collector.model.tree import Tree
from collector.pictures.errors import PictureError
from collector.recorder.screen_moment import ScreenMoment
from collector.store.checks.typed_passwords import typed_password
from collector.store.tasks.task_values import bound, recorded_values
from collector.store.trajectory.reader import StoredTrajectory

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ShownScreen:
    """A recorded screen as a model is shown it."""

    step: Step
    screen: AgentScreen
    picture: ShownPicture | None
    tree: Tree | None

    @property
    def number(self) -> int:
        """Of the step, from 1."""
        return self.step.index + 1


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TaughtStep(ShownScreen):
    """A step that a model may learn."""

    action: Action
    """What was done; at the end of a golden trajectory that the task is done."""
    thought: str
    turns: Sequence[ChatTurn]
    """What the model is asked."""
    written: WrittenAnswer | None
    """None when the dialect cannot say it."""
    is_elsewhere: bool = False
    """Whether a screen that the model is shown is on another side."""


class TaughtTrajectory:
    """A trajectory read for training. What cannot be learnt of it goes into the log."""

    def __init__(
        self, stored: StoredTrajectory, task: Task | None, options: SampleOptions, log: ExchangeLog,
        drawn: DrawnPictures, elsewhere: ScreensElsewhere | None = None,
    ) -> None:  # fmt: skip
        """Pictures are ``drawn`` with the same options. Samples show no screen that is ``elsewhere``.

        Raises UserError when the options contradict each other.
        """
        header = stored.header
        known = bound(task, recorded_values(header, task)) if task is not None else Task(header.task_id, "")
        self.task = replace(known, instruction=header.instruction) if header.instruction else known
        self.stored, self.options, self.log = stored, options, log
        self._elsewhere = elsewhere or ScreensElsewhere()
        language = header.episode.language if header.episode is not None else ""
        episode = AgentEpisode(self.task, options.sees, budget=self.task.max_steps, language=language)
        self._drawn = drawn
        self._conversation = ChatConversation(options.shown, episode, drawn.draw)

    def steps(self, only: Collection[int] | None = None) -> Iterator[TaughtStep]:
        """The steps in order, all of which the later ones may show as history.

        ``only``: indexes of the steps whose pictures are wanted. Those behind the last are left out, and
        others have a picture only when it is part of a later one's history.
        """
        history: list[PastStep] = []
        seen_elsewhere = deque[bool](maxlen=self.options.shown.history_images + 1)
        read = self._with_actions(only)
        for step, tree, frame, action in _ahead(read, self._drawn.ahead):
            thought = self._thought(step)
            turns, screen = self._asked(step, tree, frame, history)
            seen_elsewhere.append(self._elsewhere.leaves_out(self.stored, step, self.log))
            written = None if isinstance(action, Invalid) else self._written(step, action, screen, thought)
            raw = written.text if written is not None else ""
            history.append(PastStep(action, AgentTurn(thought, raw, action)))
            yield TaughtStep(
                step=step, screen=screen, picture=turns[-1].picture, tree=tree, action=action,
                thought=thought, turns=turns, written=written, is_elsewhere=any(seen_elsewhere),
            )  # fmt: skip

    def screens(self) -> Iterator[ShownScreen]:
        """The screens of all steps, whatever was done on them."""
        for step, tree, frame in _ahead(self._with_frames(), self._drawn.ahead):
            turns, screen = self._asked(step, tree, frame, ())
            yield ShownScreen(step=step, screen=screen, picture=turns[-1].picture, tree=tree)

    def _with_actions(
        self, only: Collection[int] | None
    ) -> Iterator[tuple[Step, Tree | None, RecordedFrame | None, Action]]:
        """The steps that can be learnt, whose pictures are begun."""
        shows_history = self.options.shown.history_images > 0
        for step in self.stored.steps:
            if only is not None and step.index > max(only, default=-1):
                return
            tree = read_tree(self.stored, step)
            action = self._action(step, tree)
            if action is not None:
                is_wanted = only is None or shows_history or step.index in only
                yield step, tree, self._frame(step) if is_wanted else None, action

    def _with_frames(self) -> Iterator[tuple[Step, Tree | None, RecordedFrame | None]]:
        """The steps whose screens may be shown, whose pictures are begun."""
        for step in self.stored.steps:
            if not self._elsewhere.leaves_out(self.stored, step, self.log):
                yield step, read_tree(self.stored, step), self._frame(step)

    def _frame(self, step: Step) -> RecordedFrame | None:
        """The picture of a step, which is begun; None when there is none that can be shown."""
        if self.options.sees == TREE:
            return None
        picture = exported_picture(self.stored, step, self.log, step.index + 1)
        if picture is None:
            return None
        frame = RecordedFrame(picture.data)
        self._drawn.begin(frame, screen_size(step, frame))
        return frame

    def _action(self, step: Step, tree: Tree | None) -> Action | None:
        """What is learnt at a step; a password is hidden."""
        if step.action is None:
            return Complete() if self._is_end(step) else None
        if not is_plain(step.action):
            text = _("A step whose action cannot be read was left out")
            self.log.add("action-unreadable", text, step=step.index + 1)
            return None
        if isinstance(step.action, Type) and typed_password(step, tree):
            return replace(step.action, redacted=True)
        return step.action

    def _is_end(self, step: Step) -> bool:
        """Whether it is the last screen of a golden trajectory, where an agent says that it is done."""
        is_last = step is self.stored.steps[-1]
        return is_last and self.stored.header.is_golden and self.task.expected_answer is None

    def _thought(self, step: Step) -> str:
        if self.options.thoughts == NOTHING:
            return ""
        said = step.agent.thought if step.agent is not None and step.agent.thought else step.intention
        if not said and self.options.thoughts == DESCRIBED:
            said = step.description
        return said.strip()

    def _asked(
        self, step: Step, tree: Tree | None, frame: RecordedFrame | None, history: Sequence[PastStep]
    ) -> tuple[Sequence[ChatTurn], AgentScreen]:
        try:
            return self._conversation.ask(_observation(step, tree, frame, history))
        except PictureError as error:
            text = _("A picture was left out: {why}", why=error)
            self.log.add("picture-left-out", text, step=step.index + 1)
            return self._conversation.ask(_observation(step, tree, None, history))

    def _written(self, step: Step, action: Action, screen: AgentScreen, thought: str) -> WrittenAnswer | None:
        dialect, number = self.options.shown.dialect, step.index + 1
        if isinstance(action, Type) and action.redacted:
            text = _("A hidden text cannot be learnt, so the step is left out")
            self.log.add("hidden-text", text, step=number)
            return None
        try:
            written = write_answer(dialect, action, screen, thought)
        except Misread:
            self.log.add(
                "answer-misread",
                _("{title} would read a step as another action, so it is left out", title=dialect.title),
                step=number,
            )
        except NotExpressible:
            self.log.add(
                "action-unsaid",
                _("{title} has no word for {action}, so the step is left out", title=dialect.title,
                  action=action.kind),
                step=number,
            )  # fmt: skip
        else:
            if isinstance(action, Scroll) and isinstance(written.action, Swipe):
                text = _("{title} has no scroll, so a swipe stands for it", title=dialect.title)
                self.log.add("scroll-as-swipe", text, step=number, severity=NOTE)
            return written
        return None


def _ahead(items: Iterable[_Item], count: int) -> Iterator[_Item]:
    """The items, of which so many more than those that were asked for are made."""
    waiting = deque[_Item]()
    for item in items:
        waiting.append(item)
        if len(waiting) > count:
            yield waiting.popleft()
    yield from waiting


def _observation(
    step: Step, tree: Tree | None, frame: RecordedFrame | None, history: Sequence[PastStep]
) -> Observation:
    snapshot = TreeSnapshot(b"", tree, 0, 0, "recorded") if tree is not None else None
    moment = ScreenMoment(
        0, dt.datetime.min, frame, snapshot, step.state.package, step.state.activity, screen_size(step, frame)
    )
    return Observation(len(history) + 1, moment, tuple(history))


def screen_size(step: Step, frame: RecordedFrame | None) -> Size:
    """The size that places of a step are in: the recorded one, else that of its picture."""
    if step.state.size.is_empty:
        return frame.size if frame is not None else Size(1, 1)
    return step.state.size
