"""``waymark device virtual --from`` and ``device practice``: a phone that plays trajectories."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from collector.cli.device.recordings import playing
from collector.cli.device.verbs import virtual
from collector.cli.verb_groups import device
from collector.model.errors import UserError
from collector.model.resources import asset
from collector.practice.graph_builder import build_graph
from collector.store.trajectory.reader import open_trajectory
from collector.virtual.system.phone import PhoneProfile
from tests.helpers.virtual import adb_server, virtual_process

GOLDEN = str(asset("sample/trajectories/shop-11/shop-11-lin"))


def test_the_coverage_is_printed_and_nothing_is_started():
    printed = CliRunner().invoke(device, ["virtual", "--from", GOLDEN, "--coverage"])
    assert printed.exit_code == 0, printed.output
    assert "Tap 'Search products'" in printed.output
    assert "6 screens of 6 recorded states, 5 transitions; nothing was recorded on 1 screen" in printed.output
    document = json.loads(
        CliRunner().invoke(device, ["virtual", "--from", GOLDEN, "--coverage", "--json"]).output
    )
    assert [edge["to"] for edge in document["transitions"]] == [2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--coverage"], "--coverage needs --from"),
        (["--from", GOLDEN, "--app", "shop"], "--app does not go with --from: the recordings decide it"),
        (["--from", GOLDEN, "--size", "720x1600"], "--size does not go with --from"),
        (["--from", GOLDEN, "--off-path", "guess"], "'guess' is not one of 'say', 'count', 'stay'"),
    ],
)
def test_wrong_usage_is_refused(words, sentence):
    result = CliRunner().invoke(device, ["virtual", *words])
    assert result.exit_code == 2
    assert sentence in result.output


def test_a_trajectory_that_is_not_there_is_a_sentence(tmp_path):
    result = CliRunner().invoke(device, ["virtual", "--from", "nobody-01", "--project", str(tmp_path)])
    assert isinstance(result.exception, UserError)


@pytest.mark.parametrize(("words", "locale"), [([], "zh-CN"), (["--locale", "de-DE"], "de-DE")])
def test_the_phone_speaks_the_language_of_the_recordings_unless_another_is_given(words, locale):
    graph = build_graph([open_trajectory(asset("sample/trajectories/shop-18/shop-18-lin"))])
    with virtual.make_context("virtual", words) as context:
        assert playing(PhoneProfile(locale=context.params["locale"]), graph, "say").locale == locale


def test_a_started_phone_plays_over_adb_and_says_how_far(monkeypatch):
    with virtual_process("--from", GOLDEN, "--off-path", "count") as (_process, address), adb_server() as adb:
        adb.connect(address)
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(adb.port))
        for touch in ("input tap 294 812", "input tap 10 700", "input tap 240 155"):
            adb.run("-s", address, "shell", touch)
        window = adb.run("-s", address, "shell", "dumpsys window | grep mCurrentFocus").stdout.decode()
        said = CliRunner().invoke(device, ["practice", "--device", address])
        report = json.loads(CliRunner().invoke(device, ["practice", "--device", address, "--json"]).output)
    assert "com.waymark.shop/com.waymark.shop.SearchActivity" in window
    assert "shop-11-lin  2 / 5" in said.output
    assert "2 recorded actions, 1 off the path; screens 3 of 6, transitions 2 of 5" in said.output
    assert (report["screen"], report["off_path"]) == (3, 1)


def test_a_phone_that_plays_nothing_is_a_sentence(monkeypatch):
    with virtual_process("--app", "todo") as (_process, address), adb_server() as adb:
        adb.connect(address)
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(adb.port))
        result = CliRunner().invoke(device, ["practice", "--device", address])
    assert str(result.exception).startswith("This phone plays no recordings. Start one with")
