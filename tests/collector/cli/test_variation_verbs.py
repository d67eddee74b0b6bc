"""``waymark variations`` as a person calls it."""

from __future__ import annotations

import json

import pytest
from PIL import Image

from collector.cli.main import main
from collector.store.project.project import Project


@pytest.fixture
def project(tmp_path, monkeypatch):
    Project.create(tmp_path / "p", "Varied")
    folder = tmp_path / "p"
    (folder / "variations").mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_variations_are_listed_shown_checked_and_drawn(project, capsys):
    def run(*words):
        status = main(("variations", *words))
        printed = capsys.readouterr()
        return status, printed.out + printed.err

    (project / "variations" / "mine.yaml").write_text(
        "description: Mine\nextends: dark_theme\ncontent: {shop: {+words: {app: {en: Bazaar}}}}\n", "utf-8"
    )
    status, text = run("list", "--json")
    listed = {item["name"]: item for item in json.loads(text)}
    assert status == 0
    assert listed["mine"]["factors"] == ["appearance", "content"]
    assert (listed["mine"]["apps"], listed["mine"]["built_in"]) == (["all", "shop"], False)
    assert run("list")[1].count("\n") == len(listed) + 1

    status, text = run("show", "consent@todo+mine", "--json")
    shown = json.loads(text)
    assert (shown["name"], shown["appearance"]["all"]["theme"]) == ("mine+consent@todo", "dark")
    assert run("show", "min")[0] == 1

    assert run("check") == (0, "Everything is in order\n")
    status, text = run("render", "default", "mine", "--screen", "shop", "--output", "sheet.png", "--json")
    drawn = json.loads(text)["variations"]
    assert (status, len(set(map(str, drawn.values())))) == (0, 2)
    with Image.open(project / "sheet.png") as sheet:
        assert sheet.format == "PNG"
        assert sheet.width > 200
    status, text = run("render", "default", "--screen", "shop", "--output", "sheet.png")
    assert (status, "is there already" in text) == (1, True)
    assert "there is no app nope" in run("render", "--screen", "nope")[1]
    assert run("render", "default", "landscape", "--screen", "shop", "--output", "rows.png")[0] == 0
    with Image.open(project / "sheet.png") as upright, Image.open(project / "rows.png") as mixed:
        assert mixed.height < 0.75 * upright.height, "a row is as tall as its pictures"

    (project / "variations" / "mine.yaml").write_text("content:\n  maps: {kinds: {}}\n", "utf-8")
    misnamed = project / "variations" / "my shop.yaml"
    misnamed.touch()
    status, text = run("check")
    assert status == 1
    assert text.count("variations/mine.yaml:2:3: error: There is no maps.places.kind called") == 1
    assert "variations/my shop.yaml:1:1: error: Nothing reads this file" in text
    misnamed.unlink()

    (project / "variations" / "mine.yaml").write_text("appearance:\n  all: {fnt: mono}\n", "utf-8")
    status, text = run("check")
    assert (status, text.splitlines()[0]) == (
        1,
        "variations/mine.yaml:2:9: error: A variation has no key fnt here. Did you mean font? [W701]",
    )
    assert main(("project", "check")) == 1
    assert "variations/mine.yaml:2" in capsys.readouterr().out
