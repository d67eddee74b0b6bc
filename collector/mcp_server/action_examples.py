"""One example of each kind of action, as JSON or as a dialect writes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from collector.agents.process.action_reader import read_action
from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.errors import NotExpressible
from collector.environment.read_actions import dialect_named
from collector.model.action import ACTIONS
from collector.model.geometry import Size


def action_examples(size: Size, dialect: str = "") -> Iterator[tuple[str, str, str]]:
    """Kind, meaning and example of each; the example is empty where the dialect has no word for it.

    Raises UserError for a dialect that there is not.
    """
    written_by = dialect_named(dialect)
    for values in _examples(size):
        kind = values["kind"]
        text = json.dumps(values, ensure_ascii=False)
        if written_by is not None:
            try:
                text = written_by.write(read_action(values, size).action, AgentScreen(size))
            except NotExpressible:
                text = ""
        meaning = (ACTIONS[kind].__doc__ or "").partition("\n\n")[0]
        yield kind, " ".join(meaning.split()).replace("``", "`"), text


def _examples(size: Size) -> Iterator[dict[str, Any]]:
    x, y, top, bottom = size.width // 2, size.height // 2, size.height // 4, size.height * 3 // 4
    at, up = {"x": x, "y": y}, {"x1": x, "y1": bottom, "x2": x, "y2": top}
    yield {"kind": "tap", **at}
    yield {"kind": "double_tap", **at}
    yield {"kind": "long_press", **at, "duration_ms": 1000}
    yield {"kind": "swipe", **up, "duration_ms": 300}
    yield {"kind": "drag", **up, "duration_ms": 300}
    yield {"kind": "scroll", **at, "direction": "down"}
    yield {"kind": "pinch", **at, "scale": 2.0, "duration_ms": 400}
    yield {"kind": "type", "text": "milk", "focus": [x, top]}
    yield {"kind": "key", "key": "back"}
    yield {"kind": "open_app", "name": "Calendar"}
    yield {"kind": "wait", "duration_ms": 1000}
    yield {"kind": "answer", "text": "42"}
    yield {"kind": "complete"}
    yield {"kind": "impossible", "reason": "there is no such product"}
    yield {"kind": "ask_user", "question": "Which day?"}
