"""The steps of the page: what was done, where, and on which screen."""

from __future__ import annotations

from typing import Any

from collector.agents.openai.kept_request import request_of, request_text
from collector.comparison.alignment.differences import describe_step
from collector.model.action import Action, Drag, Invalid, Scroll, Swipe, Type, action_to_dict
from collector.model.message import in_language
from collector.model.trajectory import Step
from collector.model.user_reply import REPLY, UserReply, reply_text
from collector.sharing.page_json import cut
from collector.sharing.page_pictures import PagePictures
from collector.sharing.page_trees import PageTrees, rect_values
from collector.sharing.shared_review import SharedReview

_NOT_SAID = frozenset({"kind", "x", "y", "duration_ms", "length", "redacted"})
"""Fields of an action that its words leave out."""


class PageSteps:
    """Steps as values of JSON. Their pictures and trees are numbered by content."""

    def __init__(self, review: SharedReview) -> None:
        self._review = review
        self.pictures = PagePictures(review.screens)
        self.trees = PageTrees(review.screens)
        self._has_secret = [any(_is_hidden(step.action) for step in side.steps) for side in review.sides]
        """Of each side, whether a password was typed: requests to a model tell later what was."""

    def values(self, side: int, step: Step) -> dict[str, Any]:
        """One step; what it does not have is left out."""
        state, turn = step.state, step.agent
        reply = UserReply.read(step.extra.get(REPLY))
        values = {
            "caption": self._text(in_language(describe_step(step))),
            "time": step.t_ms,
            "size": [state.size.width, state.size.height],
            "picture": self.pictures.number(side, step),
            "tree": self.trees.number(side, step),
            "app": cut(state.package),
            "activity": cut(state.activity),
            "target": rect_values(step.target.bounds) if step.target is not None else None,
            "dialogs": [rect_values(rect) for rect in self._review.dialogs(side, step)],
            "thought": self._text(turn.thought) if turn is not None else "",
            "raw": self._text(turn.raw) if turn is not None and turn.raw != turn.thought else "",
            "asked": self._asked(side, step),
            "reply": self._text(reply_text(reply)) if reply is not None else "",
            "intention": self._text(step.intention),
            "note": self._text(step.note),
            "problem": self._text(state.problem or self._review.screens.picture_problem(side, step)),
            "secure": state.secure,
            "redacted": step.redacted or (isinstance(step.action, Type) and step.action.redacted),
            "latency": dict(turn.timings_ms) if turn is not None else {},
            **(self._action(step.action, step) if step.action is not None else {}),
        }
        return {name: value for name, value in values.items() if _says_something(value)}

    def _action(self, action: Action, step: Step) -> dict[str, Any]:
        """The action: its kind, its words, where it touched, and where the agent meant to touch."""
        point, turn = action.point, step.agent
        meant = turn.predicted.point if turn is not None and turn.predicted is not None else None
        values: dict[str, Any] = {
            "kind": action.kind,
            "detail": self._text(_detail(action)),
            "point": [point.x, point.y] if point is not None else None,
            "meant": [meant.x, meant.y] if meant is not None and meant != point else None,
        }
        if isinstance(action, Swipe | Drag):
            samples = [[x, y] for _t, x, y in action.path]
            values["path"] = samples or [[action.x1, action.y1], [action.x2, action.y2]]
        if isinstance(action, Scroll):
            values["direction"] = action.direction
        return values

    def _asked(self, side: int, step: Step) -> str:
        """The request to the model, where it can tell no secret."""
        request = request_of(step) if not self._has_secret[side] else None
        return self._text(request_text(request)) if request is not None else ""

    def _text(self, text: str) -> str:
        return cut(self._review.masked(text))


def _is_hidden(action: Action | None) -> bool:
    return isinstance(action, Type) and action.redacted


def _detail(action: Action) -> str:
    """The action with its parameters, as in ``tap 204, 348``."""
    if isinstance(action, Invalid):
        return action.reason or action.raw
    if isinstance(action, Swipe | Drag):
        return f"{action.kind} {action.x1}, {action.y1} → {action.x2}, {action.y2}"
    point = action.point
    said = [] if point is None else [f"{point.x}, {point.y}"]
    fields = action_to_dict(action).items()
    said += [str(value) for name, value in fields if name not in _NOT_SAID and value not in ("", 0)]
    return " ".join([action.kind.replace("_", " "), ", ".join(said)]).strip()


def _says_something(value: object) -> bool:
    return value is not None and value is not False and value not in ("", [], {})
