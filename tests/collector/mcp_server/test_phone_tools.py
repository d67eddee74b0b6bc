"""The tools over the SDK's own client: what they answer, and what they say when something is refused."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import io
import json

import pytest
from mcp import Client
from PIL import Image

from collector.agents.process.action_reader import read_action
from collector.mcp_server.action_examples import action_examples
from collector.mcp_server.phone_sessions import IDLE_S, MOST_SESSIONS, PhoneSessions
from collector.mcp_server.served_phone import ServedPhone, ServedSetup
from collector.mcp_server.tool_server import ToolServer
from collector.model.action import ACTIONS, Invalid, action_to_dict
from collector.model.errors import UserError
from collector.model.geometry import Size
from tests.helpers.training import SAMPLE, SAMPLE_APPS, goldens_of_people

PLAIN = ServedSetup()


@contextlib.asynccontextmanager
async def connected(setup):
    sessions = PhoneSessions(setup)
    async with Client(ToolServer(sessions)) as client:
        yield client
    await sessions.end_all()


def run(test, setup=PLAIN):
    async def whole():
        async with connected(setup) as client:
            await test(client)

    asyncio.run(whole())


async def answer(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    return result


def label_of(screen):
    return [element["label"] for element in screen["elements"]]


def test_every_tool_says_what_it_takes_and_gives():
    async def test(client):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {
            "reset", "act", "observe", "screenshot", "tree", "state", "list_tasks", "load_task", "reward",
            "list_variations", "describe_actions",
        }  # fmt: skip
        assert all(tool.description and tool.annotations for tool in tools.values())
        assert tools["observe"].annotations.read_only_hint
        assert not tools["act"].annotations.read_only_hint
        assert set(tools["act"].input_schema["properties"]) == {"action", "dialect", "picture"}
        without_data = {name for name, tool in tools.items() if tool.output_schema is None}
        assert without_data == {"screenshot", "tree"}

    run(test)


def test_a_golden_trajectory_done_by_a_client_is_rewarded():
    golden = next(each for each in goldens_of_people() if each.header.id == "shop-13-lin")

    async def test(client):
        begun = (await answer(client, "load_task", task="shop-13", picture=False)).structured_content
        assert begun["task"]["instruction"]
        assert begun["screen"]["step"] == 0
        for step in golden.steps:
            before = (await answer(client, "reward")).structured_content
            assert (before["reward"], before["terminated"]) == (0.0, False)
            done = await answer(client, "act", action=action_to_dict(step.action), picture=False)
            if done.structured_content["terminated"]:
                break
        after = (await answer(client, "reward")).structured_content
        assert (after["reward"], after["done"], after["terminated"]) == (1.0, True, True)
        late = await client.call_tool("act", {"action": {"kind": "key", "key": "home"}})
        assert late.is_error
        assert late.content[0].text.endswith("Call reset")
        again = (await answer(client, "reset", picture=False)).structured_content
        assert again["task"]["id"] == "shop-13"
        assert (await answer(client, "reward")).structured_content["reward"] == 0.0

    run(test, ServedSetup(SAMPLE, apps=SAMPLE_APPS))


def test_the_screen_is_told_as_data_as_text_and_as_a_picture():
    async def test(client):
        opened = await answer(client, "act", action={"kind": "open_app", "name": "Calendar"})
        screen = opened.structured_content["screen"]
        assert screen["package"] == "com.waymark.calendar"
        agenda = next(each for each in screen["elements"] if each["label"] == "Agenda")
        assert agenda["class_name"].endswith("LinearLayout")
        text, picture = opened.content
        assert f"[{agenda['index']}]" in text.text
        assert Image.open(io.BytesIO(base64.b64decode(picture.data))).size == (480, 1064)
        seen = await answer(client, "observe", picture=False)
        assert seen.structured_content == screen
        assert [part.type for part in seen.content] == ["text"]
        alone = await answer(client, "screenshot")
        assert alone.content[0].data == picture.data
        tree = (await answer(client, "tree")).content[0].text
        assert "com.waymark.calendar:id/span_agenda" in tree
        events = (await answer(client, "state", app="calendar")).structured_content["apps"]["calendar"]
        assert events["events"]

    run(test)


def test_an_action_is_read_in_the_dialect_that_is_named():
    """The SDK reads a text of JSON itself, so that it arrives as a mapping."""

    async def test(client):
        size = Size(480, 1064)
        given = {kind: text for kind, _meaning, text in action_examples(size, "m3a")}["tap"]
        done = await answer(client, "act", action=given, dialect="m3a", picture=False)
        assert done.structured_content["action"]["kind"] == "tap"
        assert done.structured_content["invalid"] == ""
        given = {kind: text for kind, _meaning, text in action_examples(size, "qwen3-vl")}["open_app"]
        done = await answer(client, "act", action=given, dialect="qwen3-vl", picture=False)
        assert done.structured_content["screen"]["package"] == "com.waymark.calendar"
        done = await answer(client, "act", action="tap the agenda", dialect="qwen3-vl", picture=False)
        assert done.structured_content["invalid"] in done.content[0].text

    run(test)


def test_variations_and_seeds_make_another_phone_and_stay_until_the_next():
    async def test(client):
        async def picture(**chosen):
            return (await answer(client, "reset", **chosen)).content[-1].data

        plain = await picture()
        dark = await picture(variation="dark_theme")
        assert dark != plain
        assert await picture() == dark
        assert await picture(variation="") == plain
        listed = (await answer(client, "list_variations")).structured_content["variations"]
        assert {"name", "description", "factors", "apps"} == set(listed[0])
        assert next(each for each in listed if each["name"] == "german")["factors"] == ["content"]

    run(test)


def test_tasks_are_listed_in_parts_without_what_would_tell_how_they_are_judged():
    async def test(client):
        whole = (await answer(client, "list_tasks")).structured_content
        assert whole["total"] == len(whole["tasks"]) > 3
        part = (await answer(client, "list_tasks", offset=1, limit=2)).structured_content
        assert part == {"tasks": whole["tasks"][1:3], "total": whole["total"]}
        found = (await answer(client, "list_tasks", text="SHOP-13")).structured_content
        assert [task["id"] for task in found["tasks"]] == ["shop-13"]
        assert not {"target", "rule_key", "expected_answer"} & set(found["tasks"][0])

    run(test, ServedSetup(SAMPLE, apps=SAMPLE_APPS))


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("load_task", {"task": "nothing"}, "There is no task nothing"),
        ("reset", {"variation": "nothing"}, "there is no variation nothing"),
        ("reset", {"seed": -1}, "`seed`: Input should be greater than or equal to 0"),
        ("load_task", {"task": "shop-11", "varation": "german"}, "no argument `varation`. Use one of: task"),
        ("act", {}, "`action`: Field required"),
        ("act", {"action": "{}", "dialect": "klingon"}, "There is no dialect klingon"),
        ("state", {"app": "nothing"}, "The phone has no app nothing"),
        ("describe_actions", {"dialect": "klingon"}, "There is no dialect klingon"),
    ],
)
def test_what_is_refused_is_said_in_one_line_and_loses_nothing(tool, arguments, said):
    async def test(client):
        before = await answer(client, "observe")
        refused = await client.call_tool(tool, arguments)
        assert refused.is_error
        assert said in refused.content[0].text
        assert len(refused.content[0].text.splitlines()) == 1
        assert await answer(client, "observe") == before

    run(test)


def test_a_refused_task_leaves_the_one_before():
    phone = ServedPhone(ServedSetup(SAMPLE, "shop-13", apps=SAMPLE_APPS))
    for wrong in (("nothing",), ("shop-11", "nothing")):
        with pytest.raises(UserError):
            phone.load_task(*wrong)
    phone.reset()
    assert phone.task is not None
    assert phone.task.id == "shop-13"
    phone.close()


def test_there_is_an_example_of_every_kind_of_action_that_can_be_read():
    size = Size(480, 1064)
    examples = {kind: text for kind, _meaning, text in action_examples(size)}
    assert set(examples) == set(ACTIONS) - {Invalid.kind}
    for kind, text in examples.items():
        assert read_action(json.loads(text), size).action.kind == kind


# -- phones of sessions ----------------------------------------------------------


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_sessions_without_use_end_and_make_room():
    async def test():
        clock = Clock()
        sessions = PhoneSessions(ServedSetup(), clock)

        async def step(name):
            return await sessions.on_phone(name, lambda phone: phone.act({"kind": "key", "key": "home"}))

        for number in range(MOST_SESSIONS):
            await step(str(number))
        with pytest.raises(UserError, match="no phone for another session"):
            await step("one more")
        clock.now = IDLE_S / 2
        assert (await step("0")).observation.step == 2
        clock.now = IDLE_S + 1
        assert (await step("one more")).observation.step == 1
        assert (await step("0")).observation.step == 3
        assert (await step("1")).observation.step == 1  # a new phone
        await sessions.end_all()

    asyncio.run(test())


def test_calls_of_one_session_wait_for_each_other_and_its_end_for_them():
    async def test():
        sessions = PhoneSessions(ServedSetup())
        calls = [
            sessions.on_phone("one", lambda phone: phone.act({"kind": "key", "key": "home"}).observation.step)
            for _number in range(4)
        ]
        assert await asyncio.gather(*calls) == [1, 2, 3, 4]
        last = asyncio.ensure_future(sessions.on_phone("one", lambda phone: phone.screen.step))
        await asyncio.sleep(0)
        await asyncio.gather(sessions.end("one"), sessions.end("nobody"))
        assert await last == 4
        await sessions.end_all()

    asyncio.run(test())
