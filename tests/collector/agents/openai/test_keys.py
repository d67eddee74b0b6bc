"""Keys of endpoints: where they are looked for, where they are sent, and that they stay secret."""

from __future__ import annotations

import sys

import pytest

from collector.agents.agent_trust import UntrustedAgent
from collector.agents.openai.chat_options import read_options
from collector.agents.registry import DeclaredAgent, create_agent
from collector.anomalies.trust.command_trust import CommandTrust
from collector.consent.allowed_hosts import AllowedHosts
from collector.consent.transfer import Transfer
from collector.endpoint.chat_endpoint import ChatEndpoint, EndpointUnavailable
from collector.endpoint.endpoint_options import read_endpoint
from collector.endpoint.http_address import read_address
from collector.endpoint.http_client import HttpFault
from collector.endpoint.key_source import KeySource
from collector.endpoint.key_store import KeyStore
from collector.model.errors import UserError
from collector.store.project.project import Project
from tests.helpers.memory_keyring import MemoryKeyring, use_keyring


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch, tmp_path):
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    for name in ("OPENAI_API_KEY", "WAYMARK_KEY_OPENAI", "WAYMARK_KEY_GPU_1"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def memory():
    with use_keyring(MemoryKeyring()) as backend:
        yield backend


def test_a_key_comes_from_its_variable_then_from_the_keyring(memory, tmp_path, monkeypatch):
    store = KeyStore(tmp_path / "names" / "keys.json")
    source = KeySource("gpu-1")
    assert source.find(store) is None
    store.set("gpu-1", "from-keyring")
    assert source.find(store).value == "from-keyring"
    monkeypatch.setenv("WAYMARK_KEY_GPU_1", " from-variable\n")
    assert source.find(store).value == "from-variable"
    monkeypatch.setenv("OPENAI_API_KEY", "usual")
    assert KeySource("openai").find(store).value == "usual"
    monkeypatch.setenv("MINE", "own")
    assert KeySource("", "MINE").find(store).value == "own"
    assert (tmp_path / "names" / "keys.json").read_text() == '["gpu-1"]'
    assert (store.remove("gpu-1"), store.remove("gpu-1"), store.names()) == (True, False, [])


def test_without_a_keyring_the_variable_still_works_and_the_sentence_says_so(tmp_path, monkeypatch):
    store = KeyStore(tmp_path / "keys.json")
    with use_keyring():
        assert KeySource("gpu-1").find(store) is None
        with pytest.raises(UserError, match=r"no keyring on this computer.*WAYMARK_KEY_GPU"):
            store.set("gpu", "k")
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(UserError, match=r"`keyring` is not installed.*waymark-studio\[openai\]"):
        store.set("gpu", "k")
    assert KeySource("gpu-1").find(store) is None


def test_a_broken_keyring_is_one_sentence_without_the_key(tmp_path):
    class Broken(MemoryKeyring):
        def set_password(self, service, username, password):
            raise RuntimeError(f"cannot store {password}")

    with use_keyring(Broken()), pytest.raises(UserError) as raised:
        KeyStore(tmp_path / "keys.json").set("gpu", "sk-very-secret")
    assert "sk-very-secret" not in str(raised.value)


def test_a_key_that_the_keyring_does_not_keep_is_not_said_to_be_there(tmp_path):
    class Forgetting(MemoryKeyring):
        def set_password(self, service, username, password):
            """As the backend that keeps nothing."""

    with use_keyring(Forgetting()), pytest.raises(UserError, match="does not give back the key"):
        KeyStore(tmp_path / "keys.json").set("gpu", "sk-very-secret")
    assert KeyStore(tmp_path / "keys.json").names() == []


def test_a_key_that_cannot_be_sent_is_refused_without_showing_it(monkeypatch):
    monkeypatch.setenv("MINE", "sk-1\r\nX-Evil: 1")
    with pytest.raises(UserError, match="cannot be sent") as raised:
        KeySource("", "MINE").find()
    assert "Evil" not in str(raised.value)


def test_the_usual_key_goes_to_openai_alone(monkeypatch, memory):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-usual")

    sent_headers = []

    async def post(_address, headers, *_rest):
        sent_headers.append(headers)
        raise HttpFault("nobody answers")

    monkeypatch.setattr("collector.endpoint.chat_endpoint.post", post)

    def sent(address, **options):
        options = {"model": "m", "base_url": address, "retries": 0, **options}
        endpoint = ChatEndpoint(read_endpoint(options))
        with pytest.raises(EndpointUnavailable):
            endpoint.ask([])
        endpoint.close()
        return sent_headers.pop().get("Authorization")

    assert sent("https://api.openai.com/v1") == "Bearer sk-usual"
    assert sent("http://api.openai.com/v1") is None  # not encrypted
    # Any account of this computer may listen there.
    assert sent("http://127.0.0.1:8000/v1") is None
    assert sent("http://[::1]:8000/v1") is None
    assert sent("https://api.openai.com.evil.example/v1") is None
    assert sent("https://evil.example/v1") is None
    assert (
        sent("https://evil.example/v1", key_env="OPENAI_API_KEY") == "Bearer sk-usual"
    )  # asked for, see below


def agent(**options):
    return DeclaredAgent("openai", {"model": "m", **options})


def demanded(declared, project):
    """What creating an agent of a project asks a person for."""
    with pytest.raises(UntrustedAgent, match="waymark project trust") as raised:
        create_agent(declared, project)
    return raised.value.request


def test_nothing_is_sent_to_a_host_that_nobody_allowed(tmp_path, memory):
    project = Project.create(tmp_path / "project")
    for address in ("https://api.openai.com/v1", "https://evil.example/v1", "http://localhost:1/v1"):
        request = demanded(agent(base_url=address), project)
        assert [transfer.origin for transfer in request.transfers] == [address.removesuffix("/v1")]
        assert request.commands == ()
    request.grant(CommandTrust(project))
    create_agent(agent(base_url="http://localhost:1/v1"), project).close()
    create_agent(agent(base_url="http://localhost:1/other"), project).close()
    # Asked once, in whatever project; another port is another program.
    create_agent(agent(base_url="http://localhost:1/v1"), Project.create(tmp_path / "other")).close()
    assert demanded(agent(base_url="http://localhost:2/v1"), project)
    # What a person types at the command line needs no consent.
    create_agent(agent(base_url="https://evil.example/v1"), project, is_typed=True).close()
    create_agent(agent(base_url="https://evil.example/v1"), None).close()


def test_a_key_goes_to_the_host_it_was_allowed_for_alone(tmp_path, monkeypatch, memory):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-usual")
    project = Project.create(tmp_path / "project")
    usual = demanded(agent(), project)
    assert usual.transfers == (Transfer("https://api.openai.com", ("openai",)),)
    usual.grant(CommandTrust(project))
    create_agent(agent(), project).close()
    evil = agent(base_url="https://evil.example/v1", key_env="OPENAI_API_KEY")
    request = demanded(evil, project)
    assert [command.command for group in request.groups for command in group.commands] == [
        "send pictures, UI trees and texts of the phone to https://evil.example",
        "send the environment variable OPENAI_API_KEY to https://evil.example",
    ]
    AllowedHosts().allow([Transfer("https://evil.example")])  # without the key
    assert demanded(evil, project).transfers == (Transfer("https://evil.example", ("$OPENAI_API_KEY",)),)
    create_agent(agent(base_url="https://evil.example/v1"), project).close()
    # A secret of the environment does not go to a port of this computer unasked either.
    local = demanded(agent(base_url="http://127.0.0.1:9/v1", key_env="AWS_SECRET_ACCESS_KEY"), project)
    assert local.transfers[0].secrets == ("$AWS_SECRET_ACCESS_KEY",)


@pytest.mark.parametrize("header", ["Host", "content-length", "Transfer-Encoding", "X: y", "", "Pröxy"])
def test_a_header_that_http_uses_carries_no_key(header):
    options = {"model": "m", "base_url": "http://127.0.0.1:1/v1", "key_header": header}
    if header:
        with pytest.raises(UserError, match=r"cannot carry a key|no name of a header"):
            read_endpoint(options)
    else:
        assert read_endpoint(options).key_header == "Authorization"


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("", "no address"),
        ("127.0.0.1:8000", "no address"),
        ("ftp://host/v1", "no address"),
        ("file:///etc/passwd", "no address"),
        ("http://", "no address"),
        ("http://host:99999/v1", "[Pp]ort"),
        ("http://host:abc/v1", "no address"),
        ("http://ho st/v1", "space"),
        ("http://host/v1\r\nX: 1", "control character"),
        ("http://[::1/v1", "no address"),
        ("https://user:sk-secret@host/v1", "holds a password"),
        ("http://" + "a" * 70 + ".example/v1", "name of the host"),
    ],
)
def test_wrong_addresses_are_refused_in_a_sentence(address, reason):
    with pytest.raises(UserError, match=reason) as raised:
        read_address(address)
    assert "sk-secret" not in str(raised.value)


def test_addresses_are_taken_apart_and_put_together():
    address = read_address("https://Bücher.example/a b/v1?x=1".replace(" ", "%20"))
    assert str(address.below("chat/completions", {"y": "ü"})) == (
        "https://xn--bcher-kva.example/a%20b/v1/chat/completions?x=1&y=%C3%BC"
    )
    assert str(read_address("http://[::1]:8000/v1/").below("x")) == "http://[::1]:8000/v1/x"
    assert read_address("http://127.0.0.2/v1").is_loopback
    assert not read_address("http://127.0.0.1.example/v1").is_loopback


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"model": " "}, "No model"),
        ({"key": "sk-abc/def+ghi"}, "no name of a key"),
        ({"key": "sk-abcdef0123456789"}, "no name of a key"),
        ({"key_env": "sk-abcdef"}, "no name of an environment variable"),
        ({"key_env": "sk_abcdef"}, "no name of an environment variable"),
        ({"key_header": "X: y\r\nZ"}, "no name of a header"),
        ({"body": {"messages": []}}, "cannot replace messages"),
        ({"body": {"stream": True}}, "cannot replace stream"),
        ({"body": {"x": float("inf")}}, "JSON cannot hold"),
        ({"retries": 99}, "retries is 99"),
        ({"quality": 101}, "quality is 101"),
        ({"prompt": "dgera"}, "Write dgara"),
        ({"prompt": "../../etc/passwd"}, "no prompt of that name"),
    ],
)
def test_wrong_options_are_refused_in_a_sentence(options, reason):
    with pytest.raises(UserError, match=reason) as raised:
        read_options({"model": "m", **options})
    assert "abc" not in str(raised.value)
