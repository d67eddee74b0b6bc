"""Follow one of the golden trajectories of a task: which step is next, and whether a screen is its own."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from collector.agents.agent import ERASED, AgentEpisode, Observation, answers_done
from collector.agents.golden_choice import golden_trajectories
from collector.agents.golden_path import GoldenPath
from collector.judge.evaluation.divergence import Divergence
from collector.model.action import Action, Key, OpenApp
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.i18n import N_, _
from collector.model.trajectory import TOOL, Step
from collector.plugins.options import PluginOption
from collector.recorder.screen_moment import ScreenMoment
from collector.replay.guard import ReadyStep
from collector.replay.redacted_text import redacted_steps, texts_for
from collector.store.project.project import Project

REPLAYED_STEP, FOLLOWED = "replayed_step", "followed"
"""Keys of ``AgentTurn.extra``: index of the golden step that an action repeats, and id of its trajectory."""
ALIKE = 0.7
"""Share of the recorded texts from which a screen counts as that of a step other than the next one."""


class GoldenFollower:
    """The golden trajectories an episode may follow; the one that is followed is ``path``."""

    def __init__(self, options: Mapping[str, Any], project: Project | None) -> None:
        """Take the options of FOLLOWER_OPTIONS. Raises UserError without a project."""
        if project is None:
            raise UserError(_("Golden trajectories are kept in a project"), "", _("Name one with --project"))
        check_texts(options["texts"])
        self._project = project
        self._options = options
        self.secrets: tuple[str, ...] = ()
        """The texts that were redacted."""
        self.next = 0
        """Number of the next step; set it to go back or on."""
        self._paths: list[GoldenPath] = []
        self._is_set_up = False
        self._answered = 0
        """Answers that were asked for, the last one included."""
        self._before = 0
        """The next step before the last answer."""

    @property
    def path(self) -> GoldenPath:
        return self._paths[0]

    @property
    def is_at_end(self) -> bool:
        return self.next >= len(self.path)

    def begin(self, episode: AgentEpisode) -> None:
        """Choose the trajectories that may be followed. Raises UserError when there is none.

        Of the steps of a golden trajectory that are asked offline it is that one, unless the options name
        another: then the answers say how alike two recordings are.
        """
        task, options = episode.task, self._options
        name = options["trajectory"] or ("" if options["who"] else episode.offline)
        stored = golden_trajectories(self._project, task.id, name=name, who=options["who"], seed=episode.seed)
        paths: list[GoldenPath] = []
        secrets: set[str] = set()
        problem: UserError | None = None
        for golden in stored:
            try:
                texts = texts_of(options["texts"], task.id, golden.steps)
            except UserError as error:
                problem = problem or error
                continue
            path = GoldenPath(golden, task, texts)
            if len(path):
                paths.append(path)
                secrets.update(texts.values())
        if not paths:
            raise problem or UserError(_("The golden trajectory of {task} does nothing", task=task.id))
        self._paths, self.secrets = paths, tuple(sorted(secrets))
        self.next = self._answered = self._before = 0
        self._is_set_up = False

    def look(self, observation: Observation) -> ReadyStep | Divergence | None:
        """The next step, or how the screen differs; None at the end, on the screen the recording ended on.

        Until the first step was done, another trajectory is followed when the screen is where it begins.
        After a person had taken over, the next step is the first one from here on whose screen this is; of an
        agent that begins later than its task, the one whose screen this is at all.
        """
        live, history = observation.screen, observation.history
        if history and not self._answered:
            self._begin_later(live, len(history))
        if answers_done(history) < self._answered:
            self.next = self._before
        self._answered, self._before = answers_done(history) + 1, self.next
        sight = self._look(live)
        if isinstance(sight, Divergence) and history and history[-1].turn is None:
            return self._further(live) or sight
        return sight

    def _begin_later(self, live: ScreenMoment, done: int) -> None:
        """Go on with the step whose screen this is; of several with that nearest to ``done`` steps."""
        for path in self._paths:
            for number in sorted(range(len(path)), key=lambda number: abs(number - done)):
                if self._is_at(path, number, live):
                    self._paths.remove(path)
                    self._paths.insert(0, path)
                    self.next = number
                    return

    def _further(self, live: ScreenMoment) -> ReadyStep | Divergence | None:
        """A later step whose screen this is."""
        for number in range(self.next + 1, len(self.path)):
            if self._is_at(self.path, number, live):
                self.next = number
                return self.path.check(number, live)
        return None

    @staticmethod
    def _is_at(path: GoldenPath, number: int, live: ScreenMoment) -> bool:
        """Whether a step can be done on a screen that is like its own."""
        ready = isinstance(path.check(number, live), ReadyStep)
        return ready and (path.similarity(number, live) or 0.0) >= ALIKE

    def _look(self, live: ScreenMoment) -> ReadyStep | Divergence | None:
        if self.is_at_end:
            return self.path.check_end(live)
        sight = self.path.check(self.next, live)
        if isinstance(sight, ReadyStep) or self.next:
            return sight
        for other in self._paths[1:]:
            first = other.check(0, live)
            if isinstance(first, ReadyStep):
                self._paths.remove(other)
                self._paths.insert(0, other)
                return first
        return sight

    def is_turned(self, live: ScreenMoment) -> bool:
        """Whether a screen is wide and that of the next step, or of the last one, is high, or the reverse."""
        recorded = self.path.steps[min(self.next, len(self.path) - 1)].state.size
        return (live.screen.width > live.screen.height) != (recorded.width > recorded.height)

    def do(self, ready: ReadyStep, *, erase: int | None = None) -> AgentTurn:
        """The answer that does a step; the next one follows. ``erase`` replaces what the recording erased."""
        path, match = self.path, ready.match
        thought = _("Step {number} of {trajectory}: {what}",
                    number=ready.step.index + 1, trajectory=path.id, what=ready.step.description)  # fmt: skip
        if match is not None and (match.moved or match.reworded):
            thought += " " + _("(found elsewhere, by {selector})", selector=match.selector)
        extra: dict[str, Any] = {FOLLOWED: path.id, REPLAYED_STEP: ready.step.index}
        if erased := int(ready.step.extra.get("erased") or 0) if erase is None else erase:
            extra[ERASED] = erased
        if tool := ready.step.extra.get(TOOL):
            extra[TOOL] = tool
        self.next += 1
        return AgentTurn(thought, predicted=path.action_of(ready), extra=extra)

    def set_up(self, live: ScreenMoment) -> AgentTurn | None:
        """Once, before the first step: go where the recording began. None when that is no help."""
        path = self.path
        if self.next or self._is_set_up or not live.package:
            return None
        start = path.steps[0].state.package
        action: Action
        if start == path.app != live.package:
            action = OpenApp(path.app)
        elif start and start != path.app == live.package:
            action = Key("home")
        else:
            return None
        self._is_set_up = True
        return AgentTurn(_("Go where {trajectory} began", trajectory=path.id), predicted=action)


FOLLOWER_OPTIONS = (
    PluginOption(
        "trajectory", str, "",
        N_("Id of the trajectory to follow; {task} stands for the id of the task, as in {task}-lin"),
    ),
    PluginOption("who", str, "", N_("Follow the trajectories of this person only")),
    PluginOption(
        "texts", dict, {},
        N_("Texts that were redacted, by task: {task: [TEXT, ...]} in order, or {task: {step: TEXT}}; "
           "env:NAME is read from the environment"),
    ),
)  # fmt: skip
"""Options of agents that follow golden trajectories."""


ENVIRONMENT = "env:"
"""Start of a text that is the name of an environment variable."""


def check_texts(texts: Mapping[Any, Any]) -> None:
    """Raise UserError unless ``texts`` has texts by step, or in order, for each task."""
    for task, given in texts.items():
        entries = given.values() if isinstance(given, Mapping) else given
        numbered = not isinstance(given, Mapping) or all(str(step).isdecimal() for step in given)
        if not isinstance(given, (Mapping, list, tuple)) or not numbered or not all(map(_is_text, entries)):
            raise UserError(
                _("The texts of the task {task} cannot be read", task=task),
                "",
                _(
                    "Write {task}: [TEXT, ...] in the order they are typed, or {task}: {{STEP: TEXT}}",
                    task=task,
                ),
            )


def texts_of(texts: Mapping[Any, Any], task_id: str, steps: Sequence[Step]) -> dict[int, str]:
    """The texts of the redacted ``steps`` of a task, by index of the step.

    Raises UserError when one of them is not there, and for an environment variable that is not set.
    """
    given = texts.get(task_id, ())
    if isinstance(given, Mapping):
        by_step = {int(step): _resolved(text) for step, text in given.items()}
    else:
        by_step = texts_for(steps, [_resolved(text) for text in given])
    missing = [step.index for step in redacted_steps(steps) if not by_step.get(step.index)]
    if missing:
        raise UserError(
            _("The texts typed at these steps were hidden when they were recorded: {steps}",
              steps=", ".join(map(str, missing))),
            "",
            _("Give them in the agent's option texts, as in {example}",
              example=f"texts: {{{task_id}: [{ENVIRONMENT}NAME]}}"),
        )  # fmt: skip
    return by_step


def _is_text(value: object) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _resolved(text: object) -> str:
    """The text itself, or the value of the environment variable it names."""
    words = str(text)
    if not words.startswith(ENVIRONMENT):
        return words
    name = words.removeprefix(ENVIRONMENT)
    value = os.environ.get(name, "")
    if not value:
        raise UserError(
            _("The environment variable {name} is not set", name=name),
            _("an agent types its value"),
            _("Set it where the run is started"),
        )
    return value
