"""The tools: what an MCP client can do with the phone of its session."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from mcp.server.mcpserver import Context
from mcp.types import CallToolResult, ImageContent, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from collector.agents.screen_elements import COMPACT, list_elements
from collector.agents.translators.registry import DIALECTS
from collector.environment.observation import StepObservation
from collector.mcp_server.action_examples import action_examples
from collector.mcp_server.phone_sessions import PhoneSessions
from collector.mcp_server.served_phone import ServedPhone
from collector.mcp_server.tool_answers import (
    ActionAnswer,
    ActionsAnswer,
    AppStatesAnswer,
    DialectAnswer,
    EpisodeAnswer,
    RewardAnswer,
    ScreenAnswer,
    StepAnswer,
    TaskAnswer,
    TasksAnswer,
    VariationAnswer,
    VariationsAnswer,
)
from collector.model.action import KEY_NAMES

SESSION_HEADER = "mcp-session-id"
_LONGEST_LIST = 20_000
_Result = TypeVar("_Result")
_Variation = Annotated[str | None, Field(
    description="A variation or a combination, as in dark_theme+german@calendar; the last one without it"
)]  # fmt: skip
_Seed = Annotated[int | None, Field(
    ge=0, lt=2**31, description="Seed of the apps' content; the last one without it"
)]  # fmt: skip
_Picture = Annotated[bool, Field(description="Whether the answer has the screenshot, too")]


_LOOKS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
_CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
_BEGINS = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)
"""The phone of the episode before is gone."""


class PhoneTools:
    """The tools are methods, each described by its docstring."""

    def __init__(self, sessions: PhoneSessions) -> None:
        self._sessions = sessions

    @property
    def all(self) -> tuple[tuple[Callable[..., Any], ToolAnnotations], ...]:
        """Every tool, and what a client may think of it."""
        return (
            (self.list_tasks, _LOOKS), (self.load_task, _BEGINS), (self.reset, _BEGINS),
            (self.describe_actions, _LOOKS), (self.act, _CHANGES), (self.observe, _LOOKS),
            (self.screenshot, _LOOKS), (self.tree, _LOOKS), (self.list_variations, _LOOKS),
            (self.state, _LOOKS), (self.reward, _LOOKS),
        )  # fmt: skip

    async def reset(
        self,
        context: Context[Any, Any],
        variation: _Variation = None,
        seed: _Seed = None,
        picture: _Picture = True,
    ) -> Annotated[CallToolResult, EpisodeAnswer]:
        """Begin the episode again on a new phone, which shows its home screen; the task stays."""
        return await self._begin(context, lambda phone: phone.reset(variation, seed), picture)

    async def load_task(
        self, context: Context[Any, Any],
        task: Annotated[str, Field(description="Id of a task, as list_tasks has it; empty for no task")],
        variation: _Variation = None, seed: _Seed = None, picture: _Picture = True,
    ) -> Annotated[CallToolResult, EpisodeAnswer]:  # fmt: skip
        """Choose a task and begin an episode of it on a new phone, which shows its home screen."""
        return await self._begin(context, lambda phone: phone.load_task(task, variation, seed), picture)

    async def act(
        self, context: Context[Any, Any],
        action: Annotated[dict[str, Any] | str, Field(
            description='An action as a mapping, as in {"kind": "tap", "x": 240, "y": 180}, or as a text: '
            "the same as JSON, or an answer in the dialect. describe_actions lists all"
        )],
        dialect: Annotated[str, Field(description="Id of the dialect of a text, as in qwen3-vl")] = "",
        picture: _Picture = True,
    ) -> Annotated[CallToolResult, StepAnswer]:  # fmt: skip
        """Do one action, let the phone settle, and look. An action that cannot be done changes nothing."""
        # A text of JSON arrives as what it says.
        given = action if isinstance(action, str) or not dialect else json.dumps(action, ensure_ascii=False)

        def work(phone: ServedPhone) -> CallToolResult:
            step = phone.act(given, dialect)
            said = step.info.get("invalid")
            lines = [f"Nothing was done: {said}"] if said else []
            if step.terminated or step.truncated:
                lines.append("The episode is over.")
            return _answer(StepAnswer.of(step), lines, phone, picture)

        return await self._on_phone(context, work)

    async def observe(
        self, context: Context[Any, Any], picture: _Picture = True
    ) -> Annotated[CallToolResult, ScreenAnswer]:
        """Look at the screen: its app, its elements with their numbers and bounds, and the screenshot."""
        return await self._on_phone(
            context, lambda phone: _answer(ScreenAnswer.of(phone.screen), [], phone, picture)
        )

    async def screenshot(self, context: Context[Any, Any]) -> CallToolResult:
        """The screenshot alone, a PNG."""
        return await self._on_phone(context, lambda phone: CallToolResult(content=[_image(phone)]))

    async def tree(self, context: Context[Any, Any]) -> CallToolResult:
        """The accessibility tree of the screen, as the XML that uiautomator writes."""
        return await self._on_phone(context, lambda phone: _text(phone.screen.xml.decode()))

    async def state(
        self, context: Context[Any, Any],
        app: Annotated[str, Field(description="Name of one app, as in calendar; all without it")] = "",
    ) -> AppStatesAnswer:  # fmt: skip
        """The state of apps as data: events, messages, to-dos, orders, places, files. For judging."""
        return await self._on_phone(context, lambda phone: AppStatesAnswer(apps=phone.state(app)))

    async def reward(self, context: Context[Any, Any]) -> RewardAnswer:
        """The reward of the episode so far, and how far its task is. For judging."""
        return await self._on_phone(context, RewardAnswer.of)

    async def list_tasks(
        self, context: Context[Any, Any],
        text: Annotated[str, Field(description="Only tasks with this text in id, app or instruction")] = "",
        offset: Annotated[int, Field(ge=0)] = 0,
        limit: Annotated[int, Field(ge=1, le=1000)] = 100,
    ) -> TasksAnswer:  # fmt: skip
        """The tasks that can be loaded."""

        def work(phone: ServedPhone) -> TasksAnswer:
            wanted = text.casefold()
            fitting = [
                task for task in phone.environment.source.tasks
                if wanted in f"{task.id}\n{task.app}\n{task.instruction}".casefold()
            ]  # fmt: skip
            shown = fitting[offset : offset + limit]
            return TasksAnswer(tasks=list(map(TaskAnswer.of, shown)), total=len(fitting))

        return await self._on_phone(context, work)

    async def list_variations(self, context: Context[Any, Any]) -> VariationsAnswer:
        """The variations of appearance, content, pop-ups and noise that an episode can be begun under."""
        return await self._on_phone(context, _variations)

    async def describe_actions(
        self, context: Context[Any, Any],
        dialect: Annotated[str, Field(description="Id of the dialect in which examples are written")] = "",
    ) -> ActionsAnswer:  # fmt: skip
        """The actions that act takes, with an example each, and the dialects in which texts are read."""

        def work(phone: ServedPhone) -> ActionsAnswer:
            kinds = action_examples(phone.screen.size, dialect)
            return ActionsAnswer(
                actions=[ActionAnswer(kind=kind, meaning=said, example=text) for kind, said, text in kinds],
                keys=list(KEY_NAMES),
                dialects=[DialectAnswer(id=each.id, title=each.title) for each in DIALECTS.values()],
            )

        return await self._on_phone(context, work)

    async def _begin(
        self, context: Context[Any, Any], begin: Callable[[ServedPhone], None], picture: bool
    ) -> CallToolResult:
        def work(phone: ServedPhone) -> CallToolResult:
            begin(phone)
            goal = [f"Task: {phone.task.instruction}"] if phone.task is not None else []
            return _answer(EpisodeAnswer.of(phone), goal, phone, picture)

        return await self._on_phone(context, work)

    async def _on_phone(self, context: Context[Any, Any], work: Callable[[ServedPhone], _Result]) -> _Result:
        """On the phone of the session; over standard input and output there is one for the process."""
        request = context.request_context.request
        session_id = request.headers.get(SESSION_HEADER, "") if request is not None else ""
        return await self._sessions.on_phone(session_id, work)


def _answer(answer: BaseModel, lines: list[str], phone: ServedPhone, picture: bool) -> CallToolResult:
    """An answer as data, as a text for models, and with the screenshot."""
    text = "\n".join([*lines, _screen_text(phone.screen)])
    content: list[Any] = [TextContent(type="text", text=text)]
    if picture:
        content.append(_image(phone))
    data = answer.model_dump(mode="json")
    return CallToolResult(content=content, structured_content=data)


def _screen_text(seen: StepObservation) -> str:
    listed = list_elements(seen.tree, seen.size, lambda point: (point.x, point.y), COMPACT, _LONGEST_LIST)
    first = f"{seen.package} {seen.activity}, {seen.size} pixels, after {seen.step} actions:"
    left_out = [f"{listed.omitted} more elements"] if listed.omitted else []
    return "\n".join([first, listed.text, *left_out])


def _text(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)])


def _image(phone: ServedPhone) -> ImageContent:
    data = base64.b64encode(phone.screenshot()).decode()
    return ImageContent(type="image", data=data, mime_type="image/png")


def _variations(phone: ServedPhone) -> VariationsAnswer:
    known = phone.environment.source.variations
    found = []
    for name in known.names:
        file = known.file(name)
        found.append(VariationAnswer(
            name=name, description=file.text.description if file is not None else "",
            factors=list(known.factors(name)), apps=list(known.apps(name)),
        ))  # fmt: skip
    return VariationsAnswer(variations=found)
