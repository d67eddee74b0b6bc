"""The lines of a dump: every character of every tag, one tag a line, and where each node is."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from collector.hierarchy.dump_text import dump_text, node_lines
from collector.hierarchy.parse import parse_tree
from tests.helpers.dumps import hierarchy, node

PAGE = hierarchy(node(node(text="a > b", resource_id="i:a"), node(node(text="c"), resource_id="i:b")))


def test_a_tag_a_line_indented_and_otherwise_as_it_was_dumped() -> None:
    tree = parse_tree(PAGE)
    text = dump_text(PAGE.encode(), len(tree))
    assert "".join(line.strip() for line in text.lines) == PAGE
    assert [len(line) - len(line.lstrip()) for line in text.lines] == [0, 0, 2, 4, 4, 6, 4, 2, 0]
    assert not text.is_cut


def test_a_node_is_found_with_all_below_it() -> None:
    tree = parse_tree(PAGE)
    text = dump_text(PAGE.encode(), len(tree))
    spans = [text.span(each) for each in tree]
    assert spans == [range(2, 8), range(3, 4), range(4, 7), range(5, 6)]
    excerpt = text.excerpt(tree.nodes[2])
    assert len(excerpt) == 3
    assert excerpt[0].startswith("<node")
    assert 'text="c"' in excerpt[1]
    assert excerpt[2] == "</node>"


def test_a_dump_of_other_tags_than_its_tree_has_no_places_and_a_node_is_written_from_the_tree() -> None:
    tree = parse_tree(PAGE)
    text = dump_text(PAGE.encode(), len(tree) + 1)
    assert text.span(tree.nodes[1]) is None
    assert "".join(text.excerpt(tree.nodes[1])) == "".join(node_lines(tree.nodes[1]))
    assert parse_tree("".join(node_lines(tree.nodes[0]))).nodes[1].text == "a > b"


def test_views_in_json_are_indented() -> None:
    data = json.dumps([{"class": "android.view.View", "text": "你好", "children": []}]).encode()
    text = dump_text(data, 1)
    assert any('"text": "你好"' in line for line in text.lines)
    assert text.spans == ()


def test_a_dump_that_ends_in_a_tag_and_has_lines_around_it_is_shown_to_its_end() -> None:
    text = dump_text(b'UI dumped\n<hierarchy><node text="x"><node text="y', 2)
    assert text.lines[0] == "UI dumped"
    assert text.lines[-1].strip() == '<node text="y'
    assert text.spans == (range(2, 4), range(3, 4))


def test_a_line_of_many_characters_is_cut_and_says_so() -> None:
    text = dump_text(f'<hierarchy><node text="{"x" * 90_000}" /></hierarchy>'.encode(), 1)
    assert text.is_cut
    assert max(map(len, text.lines)) < 21_000


@given(st.text(alphabet="<>/\"'= anode!-\n", max_size=120))
def test_whatever_the_bytes_no_character_is_lost(given_text: str) -> None:
    text = dump_text(given_text.encode(), 0)
    assert "".join("".join(text.lines).split()) == "".join(given_text.split())
