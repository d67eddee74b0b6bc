"""The lane of an agent's thoughts: each is a grey bar as long as it held. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from collector.model.i18n import _
from collector.model.trajectory import Step
from studio.widgets.captions.step_text import thought_line
from studio.widgets.timeline.lanes import LaneMark, LazyMarks, MarkLane

ICON = "thought"


def thought_lane(steps: Sequence[Step]) -> MarkLane:
    """The thoughts in ``steps``. A step in which the agent said nothing goes on with the thought before."""
    starts: list[tuple[int, str]] = []
    for slot, step in enumerate(steps):
        thought = step.agent.thought.strip() if step.agent is not None else ""
        if thought and (not starts or starts[-1][1] != thought):
            starts.append((slot, thought))
    acted = sum(step.action is not None or step.agent is not None for step in steps)
    ends = [*(slot for slot, _thought in starts[1:]), max(acted, starts[-1][0] + 1 if starts else 0)]

    def mark(place: int) -> LaneMark:
        slot, thought = starts[place]
        return LaneMark(slot, thought_line(steps[slot]), bar=max(1, ends[place] - slot), tip=thought)

    return MarkLane(_("Thoughts"), ICON, LazyMarks([slot for slot, _thought in starts], mark))
