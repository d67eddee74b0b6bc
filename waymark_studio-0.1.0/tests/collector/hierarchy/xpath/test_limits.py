"""What would take too long is refused as it is read; what people write is not."""

from __future__ import annotations

import pytest

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.selectors import parse_selector
from collector.hierarchy.xpath.limits import MAX_COMPARISONS, MAX_SEARCHES
from collector.hierarchy.xpath.parser import MAX_NESTING
from tests.helpers.xpath_bombs import bomb, flat_tree


@pytest.mark.parametrize(
    "path",
    [
        bomb(8),
        "//*[.//*[.//*[.//*[.//*]]]]",
        "//*[preceding::*[following::*[ancestor::*[descendant::*]]]]",
        "(//*[(//*[(//*[(//*[//*])])])])",
        "(//*)[count((//*)[count((//*)[count((//*)[//*])])])]",
        "//*[child::*[//*[//*[child::*[//*[//*]]]]]]",
    ],
)
def test_searches_inside_one_another_are_refused_with_their_number(path: str) -> None:
    with pytest.raises(SelectorError, match=rf"too complex\. \d searches .* at most {MAX_SEARCHES} "):
        parse_selector(path)


@pytest.mark.parametrize(
    "path",
    [
        bomb(MAX_SEARCHES),
        "//node[.//node[@text='Wi-Fi'] and .//node[.//node[@checkable='true']]]",
        "//node[@text='Wi-Fi']/ancestor::node[.//node[@checked='true']][1]//node[@clickable='true']",
        "//*[//*[@text='a'] and //*[@text='b'] and //*[@text='c'] and //*[@text='d'] and //*[@text='e']]",
        "//a//b//c//d//e//f",
        "/hierarchy" + "/android.widget.FrameLayout[1]" * 60,
        "//node[" + " or ".join(f"@text='Item {number}'" for number in range(200)) + "]",
        "//node[" + "node[" * 15 + "@text" + "]" * 15 + "]",
    ],
)
def test_what_people_write_is_read_and_evaluated(path: str) -> None:
    parse_selector(path).find(flat_tree(50))


@pytest.mark.parametrize("nested", ["//a" + "[b" * 900 + "]" * 900, "(" * 900 + "//a" + ")" * 900])
def test_brackets_without_end_are_refused(nested: str) -> None:
    with pytest.raises(SelectorError, match=f"nested more than {MAX_NESTING} deep"):
        parse_selector(nested)


def test_comparisons_without_end_are_refused() -> None:
    parse_selector("//a[" + "=".join("1" * MAX_COMPARISONS) + "]").find(flat_tree(2))
    with pytest.raises(SelectorError, match="comparisons follow one another"):
        parse_selector("//a[" + "=".join("1" * 900) + "]")


@pytest.mark.parametrize("sign", [" or ", " and ", " + ", " * ", " | "])
def test_other_chains_may_be_as_long_as_the_text(sign: str) -> None:
    assert parse_selector(f"//*[{sign.join(['@x'] * 900)}]").find(flat_tree(3)) == []


def test_the_deepest_brackets_that_are_read_are_evaluated() -> None:
    deepest = "//*[" + "not(" * (MAX_NESTING - 1) + "@text" + ")" * (MAX_NESTING - 1) + "]"
    assert parse_selector(deepest).find(flat_tree(3)) == []
    parse_selector("//*" + "[*" * MAX_NESTING + "]" * MAX_NESTING).find(flat_tree(3))
    parse_selector("//*" + "[-*" * MAX_NESTING + "]" * MAX_NESTING).find(flat_tree(3))
