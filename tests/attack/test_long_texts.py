"""Texts made to be slow, at the sizes of the limits: answers of agents, dumps, and what phones print.

With a pattern or a reader whose time grows faster than its text, one of these takes minutes, and the time
limit of a test ends it.
"""

from __future__ import annotations

import json

import pytest

from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.dialect import MAX_ANSWER
from collector.agents.translators.registry import DIALECTS
from collector.hierarchy.dump_text import dump_text
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.flat_reader import read_flat
from collector.hierarchy.parse import MAX_BYTES, parse_tree
from collector.hierarchy.spatial_index import SpatialIndex
from collector.hierarchy.tree_builder import MAX_NODES
from collector.model.geometry import Point, Size
from tests.collector.adb.test_parsers import READERS, SLOW

pytestmark = pytest.mark.attack
SCREEN = AgentScreen(Size(1080, 2400), Size(1080, 2400))
UNITS = [
    "a", "A", "A_", "AB ", "CLICK ", "CLICK(", "{", "[", "(", "}", ")", "]", "{[", "([", '{"a":', "[[", '"',
    "'", "\\", '\\"', "\\n", " ", "\n", "\t", "\u00a0", "<", "<a>", "</a>", "<think>", "<answer>", "<action>",
    "<tool_call>", "1", "1.", "-1", "0x", "1e9", "1_", "1,", "Action:", "Action ", "\nAction", "Thought: ",
    "Thought :\n", "Reason:", "do(", "a=", "a=b,", "a(b=", "f(a='", "f()", "'''", "#", "-a", "not ",
    "lambda:", "a.", "~", "a+", "a if a else ", "f'{", "[a for a in ", "\U0001f600", "\0", "\ud800", "_",
    "A:",
    "[{", "[{}", "{a}", "<|box_start|>", "\n ",
]  # fmt: skip
FRAMES = [
    ("", ""), ("Action: ", ""), ("click(start_box='", "')"), ("<answer>", "</answer>"),
    ('<answer>do(action="Type", text="', '")</answer>'), ("<action>", "</action>"), ("TYPE(", ")"),
    ("<tool_call>", "</tool_call>"), ("Thought: x", "Action: y"), ("SWIPE ", ""), ("f(a=", ")" * 50),
    ('{"action": "type", "text": "', '"}'), ("Reason: ", "Action: {}"), ('{"point": [1, 2]} [{', "}"),
    ("{'action':", "}"), ('{"a":' * 300, ""),
]  # fmt: skip


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_any_answer_is_read_in_one_pass(dialect):
    for unit in UNITS:
        for head, tail in FRAMES:
            room = MAX_ANSWER - len(head) - len(tail)
            answer = head + (unit * room)[:room] + tail
            assert DIALECTS[dialect].read(answer, SCREEN).raw == answer


NODE = '<node index="0" text="a" class="android.view.View" bounds="[0,0][9,9]"'
START, END = '<hierarchy rotation="0">', "</hierarchy>"


def many_attributes():
    return " ".join(f'a{number}="x"' for number in range(900_000))


# Made when a test asks: every collection of the tests would make 300 MB of them.
DUMPS = {
    "flat": lambda: START + (NODE + " />") * MAX_NODES + END,
    "flat, strict": lambda: START + "<!-- -->" + (NODE + " />") * MAX_NODES + END,
    "flat, lenient": lambda: START + (NODE + " />") * MAX_NODES,
    "deep": lambda: START + (NODE + ">") * MAX_NODES + "</node>" * MAX_NODES + END,
    "deep, lenient": lambda: START + "<node a=b>" * MAX_NODES,
    "a crowd": lambda: START + "<node />" * 1_900_000 + END,
    "one value": lambda: f'{START}<node text="{"a" * (MAX_BYTES - 200)}" bounds="[0,0][9,9]" />{END}',
    "references": lambda: f'{START}<node text="{"&amp;" * 3_000_000}" bounds="[0,0][9,9]" />{END}',
    "halves": lambda: f'{START}<node text="{"&#xd83d;" * 1_800_000}" bounds="[0,0][9,9]"/>{END}',
    "attributes": lambda: f"{START}<node {many_attributes()} />{END}",
    "attributes, lenient": lambda: f"{START}<node {many_attributes()} />",
    "the same attribute": lambda: START + "<node " + 'a="x" ' * 2_000_000 + "/>" + END,
    "quotes": lambda: START + "<node " + '"' * 16_000_000,
    "angles": lambda: START + "<" * 16_000_000,
    "spaces": lambda: START + "<node" + " " * 16_000_000 + "/>",
    "ampersands": lambda: START + '<node text="' + "&" * 15_000_000 + '"/>' + END,
    "words": lambda: START + "x <node />" * 1_500_000,
    "junk": lambda: START + "<node " + "a = " * 4_000_000,
    "sections": lambda: START + "<![CDATA[" * 1_700_000,
    "declarations": lambda: START + "<!a[b>" * 2_500_000,
    "declarations without a subset": lambda: START + "<!a>" * 4_000_000,
    "ends": lambda: START + "</node" * 2_500_000,
    "other ends": lambda: START + "</a> " * 3_000_000,
    "a name": lambda: START + "<" + "a" * 16_000_000,
    "brackets": lambda: "[" * 16_000_000,
    "views": lambda: json.dumps([{"bounds": [[0, 0], [1, 1]], "children": [*range(MAX_NODES)]}] * 100),
    "children": lambda: '[{"bounds":[[0,0],[1,1]],"children":[' + "0," * 7_000_000 + "0]}]",
    "status": lambda: "x " * 7_500_000 + START + NODE + " />" + END,
}


@pytest.mark.parametrize("name", DUMPS)
def test_any_dump_is_read_or_refused_in_bounded_time(name):
    dump = DUMPS[name]().encode()[:MAX_BYTES]
    try:
        tree = parse_tree(dump)
    except HierarchyError:
        return
    assert len(tree) <= MAX_NODES
    SpatialIndex(tree).at(Point(1, 1))
    dump_text(dump, len(tree))
    assert len(read_flat(dump).rows) == len(tree)


@pytest.mark.parametrize("unit", SLOW)
def test_what_a_phone_prints_is_read_in_one_pass(unit):
    for reader in READERS:
        reader(unit * (2_000_000 // len(unit)))
