"""Configuration files are composed as Hydra and OpenApps do it; what is hostile is one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.exchange.openapps.composition import ConfigFolder, Interpolation, overlay, with_plus_keys
from collector.model.errors import UserError


def folder(root: Path, **files: str) -> ConfigFolder:
    for name, text in files.items():
        path = root / f"{name.replace('__', '/')}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return ConfigFolder(root)


def test_a_file_overrides_its_defaults_in_its_package(tmp_path):
    config = folder(
        tmp_path,
        apps__bank__default="defaults:\n  - look: plain\n  - _self_\nopen: true\n",
        apps__bank__look__plain="# @package apps.bank\ncolour: red\nsize: {text: 1, line: 2}\nrows: [1, 2]\n",
        apps__bank__look__night=(
            "# @package apps.bank\ndefaults: [plain]\ncolour: black\n"
            "size: {text: 3}\nrows: [9]\nday: 2026-04-01\n"
        ),
    )
    assert config.compose("apps/bank/default") == {
        "apps": {"bank": {"colour": "red", "size": {"text": 1, "line": 2}, "rows": [1, 2], "open": True}}
    }
    night = config.compose("apps/bank/look/night")["apps"]["bank"]
    assert night == {"colour": "black", "size": {"text": 3, "line": 2}, "rows": [9], "day": "2026-04-01"}
    assert config.names("apps/bank/look") == ["night", "plain"]


def test_defaults_after_a_file_go_before_it(tmp_path):
    config = folder(tmp_path, a__first="defaults: [_self_, second]\nx: 1\n", a__second="x: 2\n")
    assert config.compose("a/first") == {"a": {"x": 2}}


def test_keys_with_a_plus_are_merged():
    tree = {
        "list": [1], "+list": [2], "chats": {"a": [1], "b": 2}, "+chats": {"a": [3], "b": 4, "c": 5},
        "inner": {"list": [1], "+list": [2]}, "+alone": [1], "text": "a", "+text": [1],
    }  # fmt: skip
    assert with_plus_keys(tree) == {
        "list": [1, 2], "chats": {"a": [1, 3], "b": 4, "c": 5}, "inner": {"list": [1, 2]}, "+alone": [1],
        "text": "a", "+text": [1],
    }  # fmt: skip


def test_references_take_values_from_anywhere():
    tree = {"a": {"b": "x", "list": [1], "none": None, "deep": "${a.b}!"}}
    references = Interpolation(tree)
    assert references.resolved("${a.list}") == [1]
    assert references.resolved(["<${a.deep}>", "${a.none}", "-${a.none}-"]) == ["<x!>", None, "--"]
    assert references.resolved("${oc.env:HOME} ${a.c}") == "${oc.env:HOME} ${a.c}"
    assert list(references.unknown) == ["${oc.env:HOME}", "${a.c}"]


@pytest.mark.parametrize(
    ("files", "name", "sentence"),
    [
        ({"a__x": "defaults: [y]", "a__y": "defaults: [x]"}, "a/x", "a/x > a/y > a/x"),
        ({"a__x": "defaults: [gone]"}, "a/x", "there is no such file"),
        ({"a__x": "defaults: [../../etc/passwd]"}, "a/x", "there is no such file"),
        ({"a__x": "[1, 2]"}, "a/x", "it is no mapping"),
        ({"a__x": "a: {"}, "a/x", "line 2"),
        ({"a__x": "!!python/object/apply:os.system [ls]"}, "a/x", "could not determine a constructor"),
        ({f"a__f{n}": f"defaults: [f{n + 1}]" for n in range(40)}, "a/f0", "more than 25 deep"),
    ],
)
def test_what_cannot_be_composed_is_one_sentence(tmp_path, files, name, sentence):
    with pytest.raises(UserError, match=sentence):
        folder(tmp_path, **files).compose(name)


def test_circles_and_endless_growth_are_refused():
    with pytest.raises(UserError, match="circle"):
        Interpolation({"a": "${b}", "b": "-${a}-"}).resolved("${a}")
    tree = {f"x{n}": f"${{x{n + 1}}}" * 10 for n in range(20)} | {"x20": "ha"}
    with pytest.raises(UserError, match="grow beyond"):
        Interpolation(tree).resolved("${x0}")


def test_an_overlay_leaves_the_upper_tree_alone():
    lower, upper = {"a": {"b": 1}}, {"a": {"c": [1]}}
    overlay(lower, upper)
    lower["a"]["c"].append(2)
    assert upper == {"a": {"c": [1]}}
