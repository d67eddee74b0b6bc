"""What a graph of recorded screens covers: its screens, the actions on each, and where nothing goes on."""

from __future__ import annotations

from typing import Any

from collector.model.action import action_to_dict
from collector.model.transition_graph import RecordedMoment, TransitionGraph


def coverage(graph: TransitionGraph) -> dict[str, Any]:
    """The graph as a document of plain data. Screens are counted from 1, steps from 0 as in every file."""

    def named(moment: RecordedMoment) -> dict[str, Any]:
        return {"trajectory": graph.recordings[moment.recording], "step": moment.step}

    return {
        "recordings": list(graph.recordings),
        "states": sum(len(screen.moments) for screen in graph.screens),
        "screens": [
            {
                "screen": screen.number + 1,
                "package": screen.package,
                "activity": screen.activity,
                "size": str(screen.size),
                "states": [named(moment) for moment in screen.moments],
            }
            for screen in graph.screens
        ],
        "transitions": [
            {
                "from": edge.source + 1,
                "to": edge.target + 1,
                "action": edge.description,
                "recorded": action_to_dict(edge.action),
                "area": str(edge.area) if edge.area is not None else None,
                "recorded_in": [named(moment) for moment in edge.moments],
            }
            for edge in graph.transitions
        ],
        "ends": [screen.number + 1 for screen in graph.screens if screen.number not in graph.leaving],
    }
