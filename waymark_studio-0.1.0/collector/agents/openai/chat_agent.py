"""The agent ``openai``: shows a model the screen, and reads its answer in the model's own dialect."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from collector.agents.agent import SCREENSHOT, TREE, AgentEpisode, AgentUnavailable, Observation
from collector.agents.openai.chat_history import answer_text, history_text
from collector.agents.openai.chat_options import ChatOptions, require_modality
from collector.agents.openai.shown_picture import ShownPicture, draw_picture, shown_size
from collector.agents.screen_elements import ElementList, list_elements
from collector.agents.translators.coordinates import AgentScreen
from collector.endpoint.chat_endpoint import ChatEndpoint, EndpointUnavailable, Message, ModelAnswer
from collector.endpoint.chat_reply import ChatReply
from collector.model.action import MALFORMED, Invalid
from collector.model.episode import AgentTurn
from collector.model.geometry import Point, Size
from collector.model.i18n import _

_log = logging.getLogger(__name__)
_NO_PICTURE = "(There is no screenshot of this screen.)"
_KEPT_SCREENS = 1000


class ChatAgent:
    """Asks a model at each step. One episode at a time, all calls on one thread."""

    def __init__(self, options: ChatOptions) -> None:
        """Raises UserError when the key cannot be sent. Nothing is sent before the first step."""
        self.options = options
        self._endpoint = ChatEndpoint(options.endpoint)
        self._episode: AgentEpisode | None = None
        self._screens: OrderedDict[int, AgentScreen] = OrderedDict()
        self._pictures: OrderedDict[int, ShownPicture] = OrderedDict()
        self._other_model = ""

    def begin(self, episode: AgentEpisode) -> None:
        """Begin an episode. Raises UserError when the options need what the modality hides."""
        require_modality(self.options, episode.modality)
        self._episode = episode
        self._screens.clear()
        self._pictures.clear()

    def act(self, observation: Observation, cancel: threading.Event) -> AgentTurn:
        """Ask the model. Raises AgentUnavailable and CallCancelled."""
        if self._episode is None:
            raise RuntimeError("act before begin")
        view = _View(self.options, self._episode, observation)
        messages = self._messages(view, observation)
        self._keep(self._screens, observation.step, view.screen, _KEPT_SCREENS)
        if view.picture is not None:
            self._keep(self._pictures, observation.step, view.picture, self.options.history_images)
        try:
            answer = self._endpoint.ask(messages, cancel, self._fields())
        except EndpointUnavailable as error:
            raise AgentUnavailable(error.what, error.why, error.to_do) from error
        self._note_model(answer.reply.model)
        return _turn(answer, self.options, view.screen)

    def close(self) -> None:
        """End the connection."""
        self._endpoint.close()

    def _fields(self) -> Mapping[str, Any]:
        if self.options.send_seed and self._episode is not None:
            return {**self.options.fields, "seed": self._episode.seed}
        return self.options.fields

    def _messages(self, view: _View, observation: Observation) -> list[Message]:
        """System, then past screens with their answers, then this screen; roles take turns."""
        options = self.options
        values = view.values()
        values["history"] = history_text(
            observation.history, self._screens, options.dialect, options.history_of, options.history
        )
        before, after = options.prompt.fill_user(values)
        messages: list[Message] = []
        if system := options.prompt.fill_system(values):
            messages.append({"role": "system", "content": system})
        lead = before
        for number, picture in self._pictures.items():
            if number > len(observation.history) or number == observation.step:
                continue
            past = answer_text(observation.history[number - 1], self._screens.get(number), options.dialect)
            messages.append({"role": "user", "content": _content(lead, picture, "")})
            messages.append({"role": "assistant", "content": past})
            lead = ""
        if view.picture is None and view.wants_picture:
            after = f"{_NO_PICTURE}\n{after}".strip()
        messages.append({"role": "user", "content": _content(lead, view.picture, after)})
        return messages

    @staticmethod
    def _keep(store: OrderedDict[int, Any], step: int, value: object, limit: int) -> None:
        store[step] = value
        while len(store) > limit:
            store.popitem(last=False)

    def _note_model(self, name: str) -> None:
        """Say once in the log that another model answers than the one that was asked for."""
        asked = self.options.endpoint.model
        if name and name != self._other_model and not name.startswith(asked):
            self._other_model = name
            _log.info("the endpoint answers for %s as the model %s", asked, name)


class _View:
    """What of an observation a model is shown."""

    def __init__(self, options: ChatOptions, episode: AgentEpisode, observation: Observation) -> None:
        self._options, self._episode, self._observation = options, episode, observation
        self.wants_picture = episode.modality != TREE
        size, frame = observation.size, observation.screen.frame if self.wants_picture else None
        image = shown_size(size, options.dialect.image_size, options.picture.max_pixels)
        self.screen = AgentScreen(size, image)
        tree = observation.tree if episode.modality != SCREENSHOT else None
        self._elements: ElementList = list_elements(tree, size, self._place, options.tree, options.tree_limit)
        self.screen = replace(self.screen, elements=self._elements.rects)
        self.picture: ShownPicture | None = None
        if frame is not None:
            self.picture = draw_picture(frame, size, image, options.picture, self._elements.elements)

    def _place(self, point: Point) -> list[int]:
        return self._options.dialect.place_of(point, self.screen)

    def values(self) -> dict[str, object]:
        """What the prompt can name; numbers that are 0 are not there."""
        task, episode = self._episode.task, self._episode
        width, height = self._options.dialect.space.extent(self.screen)
        omitted = self._elements.omitted
        return {
            "task": task.instruction, "app": task.app or task.package, "package": task.package,
            "language": episode.language or task.language, "step": self._observation.step,
            "budget": episode.budget or "", "width": f"{width:g}", "height": f"{height:g}",
            "tree": self._elements.text, "omitted": omitted or "",
            "marks": "yes" if self._options.picture.marks and self.picture is not None else "",
            "apps": ", ".join(sorted({name for _package, name in episode.apps if name})),
        }  # fmt: skip


def _content(before: str, picture: ShownPicture | None, after: str) -> object:
    """A message of the user: a text alone, or parts when there is a picture."""
    if picture is None:
        return "\n".join(text for text in (before, after) if text)
    image: dict[str, object] = {"type": "image_url", "image_url": {"url": picture.url}}
    parts = ({"type": "text", "text": before}, image, {"type": "text", "text": after})
    return [part for part in parts if part.get("text") != ""]


def _turn(answer: ModelAnswer, options: ChatOptions, screen: AgentScreen) -> AgentTurn:
    """The turn that an answer is, an Invalid for one that was cut, filtered, refused or is empty."""
    reply = answer.reply
    problem = _problem(reply)
    if problem:
        raw = reply.text or reply.refusal
        read = AgentTurn(options.dialect.thought(raw), raw, Invalid(raw, MALFORMED, problem))
    else:
        read = options.dialect.read(reply.text, screen)
    milliseconds = answer.usage.time_ms or 0
    extra = {
        **read.extra, "model": reply.model, "finish_reason": reply.finish_reason,
        "attempts": answer.attempts if answer.attempts > 1 else None,
        "image": _shown(screen.image), "elements": len(screen.elements) or None,
    }  # fmt: skip
    return replace(
        read,
        thought=read.thought or reply.reasoning.strip(),
        usage=answer.usage,
        timings_ms={"think": milliseconds},
        extra={name: value for name, value in extra.items() if value},
    )


def _problem(reply: ChatReply) -> str:
    """Why an answer is no action, before anybody reads it; empty when it may be one."""
    if reply.is_cut:
        return _("The answer was cut at the limit of tokens")
    if reply.is_filtered:
        return _("A filter of the endpoint removed the answer")
    if reply.refusal and not reply.text.strip():
        return _("The model refused: {text}", text=reply.refusal)
    return "" if reply.text.strip() else _("The answer is empty")


def _shown(size: Size) -> str:
    return "" if size.is_empty else str(size)
