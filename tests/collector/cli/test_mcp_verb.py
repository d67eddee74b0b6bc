"""`waymark mcp` says what is wrong before it serves; tests/collector/mcp_server tries what it serves."""

from __future__ import annotations

import importlib.util

import pytest

from collector.cli.main import main


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["nowhere"], 1, "There is no project in"),
        (["--task", "nothing"], 1, "There is no task nothing"),
        (["--variation", "nothing"], 1, "there is no variation nothing"),
        (["--app", "nothing"], 1, "The phone cannot be made"),
        (["--token-file", "token"], 2, "--token-file goes with --http"),
        (["--http", "70000"], 2, "70000"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_served(words, status, said, capsys):
    assert main(["mcp", *words]) == status
    output = capsys.readouterr()
    assert said in output.err
    assert output.out == ""


def test_without_the_sdk_it_says_how_to_install_it(monkeypatch, capsys):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["mcp"]) == 1
    assert "waymark-studio[mcp]" in capsys.readouterr().err
