"""An agent in one episode: what it is shown, and answers that nobody waits for any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future

from collector.agents.agent import Observation, PastStep, seen_by
from collector.model.episode import AgentTurn
from collector.recorder.screen_moment import ScreenMoment
from collector.run.cycle.agent_thread import AgentThread


class EpisodeAgent:
    """Asks the agent of an episode. Belongs to the thread of the cycle."""

    def __init__(self, thread: AgentThread, modality: str) -> None:
        self._thread, self._modality = thread, modality
        self._dropped: Future[AgentTurn] | None = None
        """An answer that a person who took over did not wait for."""

    def think(
        self, step: int, screen: ScreenMoment, history: Sequence[PastStep], is_interrupted: Callable[[], bool]
    ) -> AgentTurn | None:
        """The agent's answer; None when a person took over first. Raises what :class:`AgentThread` raises."""
        if is_interrupted():
            return None
        if self._dropped is not None:
            if self._thread.answer(self._dropped, is_interrupted) is None:
                return None
            self._dropped = None
        shown = Observation(step, seen_by(screen, self._modality), tuple(history))
        asked = self._thread.ask(shown)
        turn = self._thread.answer(asked, is_interrupted)
        self._dropped = asked if turn is None else None
        return turn

    def taken_log(self) -> tuple[str, ...]:
        """What the agent wrote beside its answers since this was called last."""
        return self._thread.taken_log()
