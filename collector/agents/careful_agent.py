"""The kind ``careful``: a golden replay that answers dialogs by a declared policy, and finds its way back."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from collector.agents.agent import SCREENSHOT_AND_TREE, TREE, Agent, AgentEpisode, Observation
from collector.agents.dialog_policy import DialogPolicy
from collector.agents.golden_follower import ALIKE, FOLLOWER_OPTIONS, GoldenFollower
from collector.agents.golden_path import field_text
from collector.agents.kinds import AgentKind
from collector.agents.recovery_moves import BACK, RecoveryAction, RecoveryMoves
from collector.agents.screen_dialogs import find_dialog
from collector.device.errors import CallCancelled
from collector.judge.evaluation.divergence import Divergence, describe_foreground
from collector.judge.screen_similarity import texts_on
from collector.model.action import COMPLETION_SIGNALS, Complete, Impossible, Key, Type
from collector.model.episode import AgentTurn
from collector.model.i18n import N_, _
from collector.model.usage import Usage
from collector.plugins.options import PluginOption
from collector.recorder.screen_moment import ScreenMoment
from collector.replay.guard import ReadyStep
from collector.store.project.project import Project

RECOVERY = "recovery"
"""Key of ``AgentTurn.extra``: the move that recovers, and the how many-th of the episode it is."""
_WAITS, _WAIT_MS, _RECOVERIES = 4, 1000, 20
_HANG_MS = 6000
"""Android asks about an app after it has not reacted to an input for 5 seconds."""
_MOST_RETURNS = 4
"""How often one episode goes back to an earlier golden step."""
_MOST_DOUBTS = 4
"""How often the screen of one step is doubted; a wait and a BACK are two times."""


class CarefulAgent:
    """Follows a golden trajectory of the task. It sees what any agent sees, and nothing of the injection."""

    def __init__(self, options: Mapping[str, Any], project: Project | None) -> None:
        self._follower = GoldenFollower(options, project)
        self._moves = RecoveryMoves(
            DialogPolicy(options["policy"], project),
            options["waits"], options["wait_ms"], options["hang_ms"],
        )  # fmt: skip
        self._most = options["recoveries"]
        self._count = 0
        self._returns: list[tuple[int, int]] = []
        """From which step to which earlier one the agent went back."""
        self._furthest = 0
        self._led_to = ""
        """Words that the last golden step leads to, as the name of the chat it opened."""
        self._doubts: dict[int, int] = {}
        self._unchanged: ScreenMoment | None = None
        """The screen on which the last golden step was done, while it is still that screen."""

    @property
    def secrets(self) -> tuple[str, ...]:
        return self._follower.secrets

    def begin(self, episode: AgentEpisode) -> None:
        """Choose the trajectories that may be followed. Raises UserError when there is none."""
        self._follower.begin(episode)
        self._moves.begin()
        self._count = self._furthest = 0
        self._returns = []
        self._led_to, self._doubts, self._unchanged = "", {}, None

    def act(self, observation: Observation, cancel: threading.Event) -> AgentTurn:
        """The next golden step, or a move that leads back to it. Raises CallCancelled."""
        if cancel.is_set():
            raise CallCancelled("careful")
        began = time.monotonic()
        turn = self._answer(observation)
        return replace(turn, usage=Usage(time_ms=round((time.monotonic() - began) * 1000)))

    def close(self) -> None:
        """Nothing is open."""

    # -- one answer ----------------------------------------------------------
    def _answer(self, observation: Observation) -> AgentTurn:
        live, follower = observation.screen, self._follower
        if self._unchanged is not None and not self._unchanged.is_same(live):
            self._unchanged = None
        sight = follower.look(observation)
        if not isinstance(sight, Divergence):
            sight = self._strange(live) or sight
        if (turn := self._scroll(live, sight)) is not None:
            return turn
        if isinstance(sight, Divergence):
            sight = self._earlier(live, sight) or sight
        if isinstance(sight, ReadyStep):
            self._moves.settle()
            return self._do(sight, live)
        if sight is None:
            return AgentTurn(_("Every step was done"), predicted=Complete())
        return self._recover(live, sight)

    def _do(self, ready: ReadyStep, live: ScreenMoment) -> AgentTurn:
        """A golden step; text that a repeated one typed before is replaced."""
        follower = self._follower
        match = ready.match
        self._led_to = ""
        if match is not None and not match.reworded:
            self._led_to = follower.path.words_led_to(follower.next)
        erase = None
        if follower.next < self._furthest and isinstance(ready.action, Type):
            typed = field_text(live.tree)
            erase = len(typed) if typed != follower.path.field_text(follower.next) else None
        turn = follower.do(ready, erase=erase)
        self._unchanged = live
        self._furthest = max(self._furthest, follower.next)
        return turn

    def _recover(self, live: ScreenMoment, divergence: Divergence) -> AgentTurn:
        follower = self._follower
        covered = live.tree is not None and find_dialog(live.tree) is not None
        if not covered and (turn := follower.set_up(live)) is not None:
            return turn
        steps = follower.path.steps
        package = steps[min(follower.next, len(steps) - 1)].state.package
        move = None
        if self._count < self._most:
            unchanged = self._unchanged is not None
            move = self._moves.next(live, divergence, follower.path, package, unchanged=unchanged)
        if move is not None and move.move == BACK and divergence.reason == "screen" and self._can_do(live):
            self._moves.settle()
            return self._do(follower.path.as_recorded(follower.next, live), live)
        if move is None:
            why = _("No recovery is left after {count}. {why}", count=self._count, why=divergence)
            return AgentTurn(why, predicted=Impossible(str(divergence)))
        return self._moved(move)

    def _moved(self, move: RecoveryAction) -> AgentTurn:
        self._count += 1
        thought = _("Recovery {number} of {most}: {why}", number=self._count, most=self._most, why=move.why)
        return AgentTurn(
            thought, predicted=move.action, extra={RECOVERY: {"move": move.move, "number": self._count}}
        )

    def _scroll(self, live: ScreenMoment, sight: ReadyStep | Divergence | None) -> AgentTurn | None:
        """On a screen of another size than the recorded, as a turned one, scroll until the target is there.

        A node with other words, which would do otherwise, is taken only when no other is found.
        """
        follower = self._follower
        if follower.is_at_end or self._count >= self._most:
            return None
        size = follower.path.steps[follower.next].state.size
        if isinstance(sight, Divergence):
            is_missing = sight.reason in ("target", "ambiguous") and self._moves.has_waited(
                sight, unchanged=False
            )
            is_missing = is_missing and live.screen != size
        else:
            is_missing = sight is not None and sight.match is not None and sight.match.reworded
            is_missing = is_missing and follower.is_turned(live)
        if not is_missing:
            return None
        move = self._moves.scroll(live)
        if move is None:
            return None
        self._led_to = ""  # it may be scrolled away
        return self._moved(move)

    def _can_do(self, live: ScreenMoment) -> bool:
        """Whether the next step may be done in its window, though few of the recorded words are there.

        A BACK that recovers is the recorded BACK, and not one more. A turned screen shows fewer words.
        """
        follower = self._follower
        if follower.is_at_end:
            return False
        action = follower.path.steps[follower.next].action
        return action == Key("back") or (
            isinstance(action, (Key, *COMPLETION_SIGNALS)) and follower.is_turned(live)
        )

    def _strange(self, live: ScreenMoment) -> Divergence | None:
        """Doubt a screen on which the next step could be done, and which the last one did not lead to.

        A row that moved under the finger opens another chat, where there is a field to write in too. A doubt
        that no recovery move resolves is dropped.
        """
        follower = self._follower
        number, path = follower.next, follower.path
        if self._doubts.get(number, 0) >= _MOST_DOUBTS:
            return None
        words = self._led_to if not follower.is_turned(live) else ""  # a turned screen shows fewer
        led_here = not words or words in texts_on(live.tree)
        if follower.is_at_end:  # the last action may have had no effect
            end, before = path.similarity(number, live), path.similarity(number - 1, live)
            is_nearer = end is None or before is None or end >= before or follower.is_turned(live)
            led_here = led_here and is_nearer
            if live.tree is not None and find_dialog(live.tree) is not None:
                led_here = led_here and (end or 0.0) >= ALIKE  # a dialog of the phone over the app's window
        if led_here:
            return None
        if live.tree is not None and find_dialog(live.tree) is None:
            self._doubts[number] = self._doubts.get(number, 0) + 1
        expected = repr(words) if words else _("the screen recorded")
        return Divergence("screen", expected, describe_foreground(live))

    def _earlier(self, live: ScreenMoment, divergence: Divergence) -> ReadyStep | None:
        """The earlier golden step whose screen is most like this one: the app lost its state."""
        follower = self._follower
        has_waited = self._moves.has_waited(divergence, unchanged=self._unchanged is not None)
        if not has_waited or len(self._returns) >= _MOST_RETURNS:
            return None
        if live.tree is not None and find_dialog(live.tree) is not None:
            return None
        opened = bool(self._moves.trouble.openings)
        back = [
            (round(follower.path.similarity(number, live) or 0.0, 2), number, ready)
            for number in range(follower.next)
            if (follower.next, number) not in self._returns
            and (ready := self._if_alike(number, live, 0.0 if opened else ALIKE)) is not None
        ]
        if not back:
            return None
        _share, number, ready = max(back, key=lambda entry: entry[:2])
        self._returns.append((follower.next, number))
        follower.next = number
        return ready

    def _if_alike(self, number: int, live: ScreenMoment, share: float) -> ReadyStep | None:
        """A golden step, if the screen is its own and has ``share`` of its texts."""
        path = self._follower.path
        ready = path.check(number, live)
        if not isinstance(ready, ReadyStep) or (path.similarity(number, live) or 0.0) < share:
            return None
        return ready


def create(options: Mapping[str, Any], project: Project | None) -> Agent:
    """A new agent of the kind."""
    return CarefulAgent(options, project)


KIND = AgentKind(
    "careful",
    N_("Careful replay"),
    create,
    N_("Repeats a golden trajectory, answers dialogs by a declared policy, and recovers its way"),
    (
        *FOLLOWER_OPTIONS,
        PluginOption(
            "policy", dict, {},
            N_("How dialogs are answered: dismiss, deny, allow, first, last, expected or {button: WORDS}, by "
               "the family of an anomaly, the kind of dialog, and default"),
        ),
        PluginOption("recoveries", int, _RECOVERIES, N_("The most recovery moves of an episode"), least=0),
        PluginOption(
            "waits", int, _WAITS,
            N_("How many times to wait while something covers the target; once for another screen"),
            least=0,
        ),
        PluginOption("wait_ms", int, _WAIT_MS, N_("Milliseconds of each wait"), least=0),
        PluginOption(
            "hang_ms", int, _HANG_MS,
            N_("Milliseconds to wait, at most twice, for an app that seems to hang: Android asks whether to "
               "close it after 5 seconds; 0 for never"),
            least=0,
        ),
    ),
    (SCREENSHOT_AND_TREE, TREE),
)  # fmt: skip
