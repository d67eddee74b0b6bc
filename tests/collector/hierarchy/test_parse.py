"""Dumps open strict or repaired, and every repair is said."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Rect
from tests.helpers.dumps import HEAD, hierarchy, node

SMALL = hierarchy(node(node(text="Buy", bounds="[1,2][3,4]"), node(text="Sell")), rotation=1)


def test_a_clean_dump_is_read_without_repairs() -> None:
    tree = parse_tree(SMALL.encode())
    assert (len(tree), tree.rotation, tree.repairs, tree.source) == (3, 1, (), "uiautomator")
    assert tree.nodes[1].bounds == Rect(1, 2, 3, 4)
    assert tree.nodes[2].path == (0, 1)
    assert list(tree.nodes[0].attributes)[:3] == ["index", "text", "resource-id"]


def test_status_lines_go_and_the_rest_is_read_as_a_clean_dump() -> None:
    tree = parse_tree("Killed\n" + SMALL + "UI hierchary dumped to: /dev/tty\n")
    assert len(tree) == 3
    assert [sentence.split(":")[0] for sentence in tree.repairs] == [
        "Text before the tree was left out",
        "Text after the tree was left out",
    ]


def test_a_byte_order_mark_is_nothing_to_speak_of() -> None:
    assert parse_tree(b"\xef\xbb\xbf" + SMALL.encode()).repairs == ()
    assert parse_tree("\ufeff" + SMALL).repairs == ()


@pytest.mark.parametrize(
    ("broken", "texts", "repair"),
    [
        (SMALL + "UI hierchary dumped to: /dev/stdout\n", ["Buy", "Sell"], "Text after the tree"),
        ("Killed \nW/art(12): <init>\n" + SMALL, ["Buy", "Sell"], "Text before the tree"),
        (SMALL + "\nE/foo( 1): at java.util.List.<init>(x)", ["Buy", "Sell"], "Text after the tree"),
        (SMALL.replace("Buy", "R&D"), ["R&D", "Sell"], "unescaped &"),
        (SMALL.replace("Buy", "a < b"), ["a < b", "Sell"], "unescaped <"),
        (SMALL.replace("Buy", 'say "hi" now'), ['say "hi" now', "Sell"], "unescaped quote"),
        (SMALL.replace("Buy", "a\x00\x1fb"), ["ab", "Sell"], "Characters XML forbids"),
        (SMALL.replace("Buy", "a&#0;&#x1F;b"), ["ab", "Sell"], "References to characters"),
        (SMALL.replace("Buy", "&#55357;&#56832;"), ["\U0001f600", "Sell"], "two halves"),
        (SMALL.replace("Buy", "&nbsp;x"), ["&nbsp;x", "Sell"], "unescaped &"),
        (SMALL.replace('text="Buy"', 'text="Buy" text="No"'), ["Buy", "Sell"], "given twice"),
        (SMALL.replace('text="Buy"', 'text="Buy" %% '), ["Buy", "Sell"], "no attribute"),
        (SMALL.replace("</hierarchy>", ""), ["Buy", "Sell"], "ends in the middle"),
        (SMALL[: SMALL.index('text="Sell"')], ["Buy"], "ends in the middle"),
        (
            SMALL.replace("<hierarchy", "<!DOCTYPE x [<!ENTITY e 'boo'>]><hierarchy"),
            ["Buy", "Sell"],
            "type decl",
        ),
        (node(text="Buy") + node(text="Sell"), ["Buy", "Sell"], "fragment"),
        (SMALL + SMALL, ["Buy", "Sell", "Buy", "Sell"], "holds 2 trees"),
        (SMALL.replace("/>", "></nod>", 1), ["Buy", "Sell"], "closing tag matched no open node"),
    ],
)
@pytest.mark.fault("F19")
def test_what_is_broken_is_mended_and_said(broken: str, texts: list[str], repair: str) -> None:
    tree = parse_tree(broken.encode())
    assert [n.text for n in tree if n.text] == texts
    assert any(repair in sentence for sentence in tree.repairs), tree.repairs


@pytest.mark.parametrize(
    ("raw", "repair"),
    [
        (b"\xff\xfe" + SMALL.encode("utf-16-le"), "utf-16-le"),
        (b"\xfe\xff" + SMALL.encode("utf-16-be"), "utf-16-be"),
        (SMALL.replace("Buy", "购买东西").encode("gbk"), "GBK"),
        (SMALL.replace("Buy", "\U0001f600").encode("utf-16", "surrogatepass").decode("utf-16").encode(), ""),
        (SMALL.replace("Buy", "\ud83d\ude00").encode("utf-8", "surrogatepass"), "halves"),
        (SMALL.encode().replace(b"Buy", b"B\xffy"), "replaced"),
    ],
)
def test_any_encoding_is_read_for_what_it_is(raw: bytes, repair: str) -> None:
    tree = parse_tree(raw)
    assert len(tree) == 3
    assert repair in " ".join(tree.repairs)
    assert "Buy" not in tree.nodes[1].text or b"Buy" in raw or b"B\0u" in raw


def test_appium_elements_are_named_by_their_tag() -> None:
    tree = parse_tree(
        f'{HEAD}<hierarchy index="0" class="hierarchy" rotation="0" width="1080" height="2400">'
        '<android.widget.FrameLayout index="0" bounds="[0,0][1080,2400]">'
        '<android.widget.Button text="Buy" bounds="[0,0][10,10]"/></android.widget.FrameLayout></hierarchy>'
    )
    assert tree.source == "appium"
    assert tree.attributes["width"] == "1080"
    assert [n.class_name for n in tree] == ["android.widget.FrameLayout", "android.widget.Button"]


def test_an_ios_source_has_bounds_texts_and_ids() -> None:
    tree = parse_tree(
        '<AppiumAUT><XCUIElementTypeApplication type="XCUIElementTypeApplication" name="Shop" label="Shop" '
        'x="0" y="0" width="390" height="844"><XCUIElementTypeButton name="buy" label="Buy" x="10" y="20" '
        'width="100" height="44"/></XCUIElementTypeApplication></AppiumAUT>'
    )
    assert tree.source == "xcuitest"
    assert (tree.nodes[1].text, tree.nodes[1].resource_id) == ("Buy", "buy")
    assert tree.nodes[1].bounds == Rect(10, 20, 110, 64)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "empty"),
        (b"ERROR: null root node returned by UiTestAutomationBridge.", "no root node"),
        (b"ERROR: could not get idle state.", "never came to rest"),
        (b"<html><body>hello</body></html>", "No UI tree"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "No UI tree"),
    ],
)
def test_what_is_no_hierarchy_is_refused_in_a_sentence(data: bytes, what: str) -> None:
    with pytest.raises(HierarchyError, match=what):
        parse_tree(data)


def test_an_empty_hierarchy_is_said_to_be_empty() -> None:
    tree = parse_tree(hierarchy())
    assert len(tree) == 0
    assert "empty" in tree.repairs[0]


def test_a_very_deep_tree_keeps_every_node_and_no_depth() -> None:
    deep = hierarchy("<node bounds='[0,0][9,9]'>" * 6000 + "</node>" * 6000)
    for text in (deep, deep[:-100]):
        tree = parse_tree(text)
        assert len(tree) == 6000
        assert max(n.depth for n in tree) == 1000
        assert any("depth limit" in sentence for sentence in tree.repairs)


@pytest.mark.fault("F22")
def test_entities_are_never_expanded() -> None:
    bomb = "<!DOCTYPE a [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]>" + hierarchy(node(text="@")).replace(
        "@", "&b;"
    )
    assert parse_tree(bomb).nodes[0].text == "&b;"


def test_a_hostile_run_of_quotes_ends() -> None:
    assert parse_tree('<node text="' + '"x ' * 200_000 + '"/><node text="ok"/>').nodes


@pytest.mark.fault("F19")
def test_cut_at_any_byte_it_opens_or_is_refused() -> None:
    raw = hierarchy(node(node(text="购 & <"), node(text="b"))).encode()
    before = 0
    for end in range(len(raw)):
        try:
            tree = parse_tree(raw[:end])
        except HierarchyError:
            assert before == 0
        else:
            assert tree.repairs
            assert len(tree) >= before
            before = len(tree)
    assert before == 3


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400))
def test_arbitrary_bytes_are_read_or_refused(data: bytes) -> None:
    _open(data)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([
    "<node ", "</node>", "<hierarchy>", "/>", ">", '"', "'", "text=", "bounds=", "&", "<", "&#1;", "<!--",
    "-->", "<![CDATA[", "<!DOCTYPE", "[", "]>", "<?xml", "?>", " ", "x", "\n", "\ud800", "[0,0][1,1]",
]), max_size=40))  # fmt: skip
def test_any_jumble_of_markup_is_read_or_refused(parts: list[str]) -> None:
    _open("".join(parts))


def _open(data: bytes | str) -> str:
    try:
        tree = parse_tree(data)
    except HierarchyError as error:
        return error.what
    else:
        assert [n.order for n in tree] == list(range(len(tree)))
        return ""


_TEXTS = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff"), max_size=8
)
_TREES = st.recursive(
    st.tuples(_TEXTS, st.just(())),
    lambda inner: st.tuples(_TEXTS, st.lists(inner, max_size=3).map(tuple)),
    max_leaves=12,
)


@settings(deadline=None)
@given(_TREES)
def test_a_generated_tree_comes_back_as_it_was_strict_and_repaired(shape: tuple) -> None:  # type: ignore[type-arg]
    def write(shape: tuple) -> str:  # type: ignore[type-arg]
        return node(*map(write, shape[1]), text=shape[0])

    text = hierarchy(write(shape))
    for given_text in (text, text + "UI hierchary dumped to: /dev/tty"):
        tree = parse_tree(given_text)
        assert _shape(tree.nodes[0]) == shape


def _shape(node) -> tuple:  # type: ignore[no-untyped-def, type-arg]
    return (node.text, tuple(_shape(child) for child in node.children))


@pytest.mark.parametrize(
    "hostile",
    ["<a>" * 60_000 + "</b>" * 60_000, "<node/></hierarchy>" + "x <" * 200_000, "<node " + 'a="' * 200_000],
)
@pytest.mark.fault("F22")
def test_hostile_runs_of_markup_end(hostile: str) -> None:
    _open("<hierarchy>" + hostile)
