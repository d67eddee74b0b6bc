"""The newest version is asked for once, by a request that tells nothing; what is no answer is a sentence."""

from __future__ import annotations

import json

import pytest

from collector import __version__
from collector.cli.main import main
from collector.model.errors import UserError
from collector.releases.newest_release import VARIABLE, NewestRelease, ask_newest_release
from tests.helpers.chat_server import ChatServer


def names(version):
    body = json.dumps({"info": {"version": version}}).encode()
    return lambda exchange: exchange.send(200, body)


@pytest.fixture
def ask(monkeypatch):
    def asked(*plays):
        with ChatServer(*plays) as server:
            monkeypatch.setenv(VARIABLE, f"{server.address}/json")
            try:
                return ask_newest_release()
            finally:
                (request,) = server.requests
                assert (request.path, request.raw) == ("/v1/json", b"")
                assert set(request.headers) == {"host", "accept", "connection"}

    return asked


def test_a_newer_version_is_told_and_the_request_tells_nothing(ask):
    assert ask(names("99.1.2")) == NewestRelease(__version__, "99.1.2")


@pytest.mark.parametrize(
    ("installed", "newest", "is_newer"),
    [
        ("1.0.0", "1.0", False),
        ("1.9.0", "1.10.0", True),
        ("2.0.0", "1.10.0", False),
        ("1.0", "1.0.0.1", True),
    ],
)
def test_versions_are_compared_by_their_numbers(installed, newest, is_newer):
    assert NewestRelease(installed, newest).is_newer is is_newer


@pytest.mark.parametrize(
    ("play", "why"),
    [
        (names("newest; rm -rf"), "names no version"),
        (names(["1"]), "names no version"),
        (lambda exchange: exchange.send(200, b"[" * 100_000), "names no version"),
        (lambda exchange: exchange.send(404, b"{}"), "status 404"),
        (lambda exchange: exchange.send(302, b"", location="http://127.0.0.1:9/"), "status 302"),
        (lambda exchange: exchange.send_raw(b"SSH-2.0\r\n\r\n"), "does not answer as a web server"),
    ],
)
def test_what_is_no_answer_is_a_sentence(ask, play, why):
    with pytest.raises(UserError, match="The newest version is not known") as refused:
        ask(play)
    assert why in refused.value.why


def test_the_command_says_both_versions(monkeypatch, capsys):
    with ChatServer(names("99.0.0")) as server:
        monkeypatch.setenv(VARIABLE, server.address)
        assert main(["updates"]) == 0
        assert main(["updates", "--json"]) == 0
    sentence, _newline, document = capsys.readouterr().out.partition("\n")
    assert sentence == f"99.0.0 is published; {__version__} is installed"
    assert json.loads(document) == {
        "installed": __version__, "newest": "99.0.0", "newer": True, "address": server.address
    }  # fmt: skip
