"""What a model is asked at each step of an episode: instructions, past screens with its answers, this one.

The agent sends it, and an export writes it as a sample: a model is trained on what it will be shown.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from collector.agents.agent import SCREENSHOT, TREE, AgentEpisode, Observation, PastStep
from collector.agents.openai.chat_history import answer_text, history_text, reply_line
from collector.agents.openai.chat_options import ConversationOptions, require_modality
from collector.agents.openai.shown_picture import PictureOptions, ShownPicture, draw_picture, shown_size
from collector.agents.screen_elements import ElementList, ScreenElement, list_elements
from collector.agents.translators.coordinates import AgentScreen
from collector.device.frame import Frame
from collector.endpoint.chat_endpoint import Message
from collector.model.geometry import Point, Size

SYSTEM, USER, ASSISTANT = "system", "user", "assistant"
_NO_PICTURE = "(There is no screenshot of this screen.)"
_KEPT_SCREENS = 1000
Draw = Callable[[Frame, Size, Size, PictureOptions, Iterable[ScreenElement]], ShownPicture]
"""The picture of a frame for a screen of the first size, in the second size."""


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """A message of a conversation."""

    role: str
    text: str
    picture: ShownPicture | None = None
    rest: str = ""
    """What is said after the picture."""
    step: int = 0
    """Number of the step that the picture is of, from 1; 0 without one."""

    @property
    def message(self) -> Message:
        """As the chat completions API takes it: a text alone, or parts when there is a picture."""
        if self.picture is None:
            return {"role": self.role, "content": "\n".join(filter(None, (self.text, self.rest)))}
        image: dict[str, object] = {"type": "image_url", "image_url": {"url": self.picture.url}}
        parts = ({"type": "text", "text": self.text}, image, {"type": "text", "text": self.rest})
        return {"role": self.role, "content": [part for part in parts if part.get("text") != ""]}


class ChatConversation:
    """The conversation of one episode, with the screens the model saw and the pictures it sees again."""

    def __init__(
        self, options: ConversationOptions, episode: AgentEpisode, draw: Draw = draw_picture
    ) -> None:
        """Raises UserError when the options need what the modality hides."""
        require_modality(options, episode.modality)
        self._options, self._episode, self._draw = options, episode, draw
        self._screens: OrderedDict[int, AgentScreen] = OrderedDict()
        self._pictures: OrderedDict[int, ShownPicture] = OrderedDict()

    def ask(self, observation: Observation) -> tuple[list[ChatTurn], AgentScreen]:
        """The messages of a step, and the screen that the answer will be about; roles take turns."""
        options = self._options
        view = _View(options, self._episode, observation, self._draw)
        values = view.values()
        values["history"] = history_text(
            observation.history, self._screens, options.dialect, options.history_of, options.history
        )
        turns = self._turns(view, observation, values)
        self._keep(self._screens, observation.step, view.screen, _KEPT_SCREENS)
        if view.picture is not None:
            self._keep(self._pictures, observation.step, view.picture, options.history_images)
        return turns, view.screen

    def _turns(self, view: _View, observation: Observation, values: dict[str, object]) -> list[ChatTurn]:
        options = self._options
        before, after = options.prompt.fill_user(values)
        turns: list[ChatTurn] = []
        if system := options.prompt.fill_system(values):
            turns.append(ChatTurn(SYSTEM, system))
        lead = before
        for number, picture in self._pictures.items():
            if number > len(observation.history) or number == observation.step:
                continue
            past = answer_text(observation.history[number - 1], self._screens.get(number), options.dialect)
            turns += [ChatTurn(USER, lead, picture, step=number), ChatTurn(ASSISTANT, past)]
            lead = ""
        if view.picture is None and view.wants_picture:
            after = f"{_NO_PICTURE}\n{after}".strip()
        lead = _with_reply(lead, observation.history)
        return [*turns, ChatTurn(USER, lead, view.picture, after, observation.step)]

    @staticmethod
    def _keep(store: OrderedDict[int, Any], step: int, value: object, limit: int) -> None:
        store[step] = value
        while len(store) > limit:
            store.popitem(last=False)


def _with_reply(text: str, history: Sequence[PastStep]) -> str:
    """The words before a screen, behind the answer to the question that was asked last."""
    reply = history[-1].reply if history else None
    return text if reply is None else f"{reply_line(reply)}\n{text}".strip()


class _View:
    """What of an observation a model is shown."""

    def __init__(
        self, options: ConversationOptions, episode: AgentEpisode, observation: Observation, draw: Draw
    ) -> None:
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
            self.picture = draw(frame, size, image, options.picture, self._elements.elements)

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
