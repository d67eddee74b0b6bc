"""The evaluator selects what libxml2 selects: on generated trees and paths, and on real screens."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from collector.hierarchy.parse import parse_tree
from collector.hierarchy.xpath.find import compile_xpath, find_xpath
from collector.model.tree import Tree
from tests.helpers.dumps import hierarchy, node
from tests.helpers.xpath_oracle import orders_by_libxml2, trees, xpaths

_ON_REAL_SCREENS = (
    "//node[@text='OK']",
    "//*[@clickable='true' and not(@text='')]/@content-desc",
    "//android.widget.TextView[contains(@text, 'e')]",
    "//android.widget.TextView[starts-with(@resource-id, 'com.')]/..",
    "//android.widget.ImageView/following::android.widget.TextView[1]",
    "//node[.//node[@class='android.widget.ImageView']][@clickable='true']",
    "//*[@class='android.widget.TextView']/ancestor::*[@clickable='true'][1]",
    "//node[count(*) > 2]/node[last()]",
    "(//node[@clickable='true'])[position() mod 3 = 1]",
    "//node[string-length(normalize-space(@text)) > 10]",
    "//node[translate(@text, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = 'settings']",
    "//node[@text = preceding-sibling::node/@text]",
    "//node[preceding::node[@scrollable='true']][1]",
    "//*[@index > 1][following-sibling::*[1]/@index < 4]",
    "/hierarchy/*/*[1]//*[self::android.widget.Button or self::android.widget.TextView]",
    "//node[number(@index) = count(preceding-sibling::node)]",
    "//*[//*[@checked='true']] | //*[@focused='true']/@bounds",
)
_TREE = parse_tree(
    hierarchy(
        node(
            node(text="12.50", index="1", class_="a.B"),
            node(text=" 7 ", index="2", class_="a.C$D"),
            node(node(text="x"), text="-0.5", index="3", class_="a.B"),
        )
    )
)


def _assert_same(tree: Tree, path: str) -> None:
    ours = [node.order for node in find_xpath(tree, path)]
    assert ours == orders_by_libxml2(tree, path, plain=compile_xpath(path).plain), path


@settings(max_examples=120)
@given(trees(), xpaths())
def test_on_generated_trees_and_paths(tree: Tree, path: str) -> None:
    _assert_same(tree, path)


@pytest.mark.parametrize("path", _ON_REAL_SCREENS)
def test_on_real_screens(shared_data: Path, path: str) -> None:
    for dump in sorted((shared_data / "dumps").rglob("*.xml"))[::20]:
        _assert_same(parse_tree(dump.read_bytes()), path)


@pytest.mark.parametrize(
    "value",
    [
        "string(1 div 3 * 3) = '1'", "string(-1 div 0) = '-Infinity'", "string(0 div 0) = 'NaN'",
        "string(0.1) = '0.1'", "string(1000000) = '1000000'", "string(-0) = '0'",
        "string(0.0001) = '0.0001'", "5 mod -3 = 2", "-5 mod 3 = -2", "5 mod 0 = 0", "0 div 0 != 0 div 0",
        "round(-1.5) = -1", "round(2.5) = 3", "floor(-0.5) = -1", "ceiling(-0.5) = 0",
        "round('x') = round('x')", "substring('12345', 1.5, 2.6) = '234'",
        "substring('12345', 0, 3) = '12'", "substring('12345', 2) = '2345'",
        "substring('12345', -42, 1 div 0) = '12345'", "substring('12345', 0 div 0, 3) = ''",
        "substring('12345', -1 div 0, 1 div 0) = ''", "substring-before('a/b', '/') = 'a'",
        "substring-after('a', '') = 'a'", "substring-before('a', '') = ''",
        "translate('aab', 'aa', 'xy') = 'xxb'", "normalize-space('\u00a0 a  b\t') = '\u00a0 a b'",
        "string-length('a\U0001f600') = 2", "concat('a', 1, true()) = 'a1true'", "number('  12  ') = 12",
        "number('+1') = number('+1')", "number('.5') = 0.5", "number('1.') = 1", "number('1,5') = 1",
        "number(true()) = 1", "- - '3' = 3", "true() > false()", "'a' < 'b'", "boolean('false')",
        "boolean(0 div 0)", "not(//nothing)", "//@index = 2", "//@index != 2", "//@index < //@text",
        "//@text = //@index", "//@text > 12", "2 = //@index", "0 > //@text", "//@nothing != 'a'",
        "//@index = true()", "//nothing = false()", "//@text < 'x'", "sum(//@index) > 5",
        "sum(//@text) = sum(//@text)", "name(//*[@index='2']) = 'a.C.D'", "name(/) = ''",
        "name(/*) = 'hierarchy'", "local-name(//@text) = 'text'", "count(//@*[name()='text']) = 5",
        "count(/ | /hierarchy | //*) = 7",
        "count(//comment() | //processing-instruction('a') | //text()) = 0",
        "count(//a.B/@text/../following::*) = 4", "count((//@text)[2]/following::*) = 3", "1 = 1 = 1",
        "3 > 2 > 1", "1 or 0 div 0 and false()", "2 + 3 * 4 - 1 = 13", "7 div 2 mod 2 = 1.5",
        "//@text[.='x']/parent::*/@index", "count(//@index[. > 1]) = 2", "(//@text | //*)[3]/self::*",
    ],
)  # fmt: skip
def test_on_values(value: str) -> None:
    _assert_same(_TREE, f"//*[{value}]")
