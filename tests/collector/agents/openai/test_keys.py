"""Keys of endpoints: where they are looked for, where they are sent, and that they stay secret."""

from __future__ import annotations

import sys

import pytest

from collector.agents.agent_trust import UntrustedAgent
from collector.agents.openai.chat_options import read_endpoint, read_options
from collector.agents.openai.endpoint import ChatEndpoint
from collector.agents.openai.endpoint_key import KeySource
from collector.agents.openai.http_address import read_address
from collector.agents.openai.key_store import KeyStore
from collector.agents.openai.kind import key_transfers
from collector.agents.registry import DeclaredAgent, create_agent
from collector.anomalies.command_trust import CommandTrust
from collector.model.errors import UserError
from collector.store.project import Project
from tests.helpers.memory_keyring import MemoryKeyring, use_keyring


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch):
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


def test_a_key_that_cannot_be_sent_is_refused_without_showing_it(monkeypatch):
    monkeypatch.setenv("MINE", "sk-1\r\nX-Evil: 1")
    with pytest.raises(UserError, match="cannot be sent") as raised:
        KeySource("", "MINE").find()
    assert "Evil" not in str(raised.value)


def test_the_usual_key_goes_to_openai_and_to_this_computer_alone(monkeypatch, memory):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-usual")

    def sent(address, **options):
        endpoint = ChatEndpoint(read_endpoint({"model": "m", "base_url": address, **options}))
        return endpoint._key.value if endpoint._key else None

    assert sent("https://api.openai.com/v1") == "sk-usual"
    assert sent("http://127.0.0.1:8000/v1") == "sk-usual"
    assert sent("http://[::1]:8000/v1") == "sk-usual"
    assert sent("https://api.openai.com.evil.example/v1") is None
    assert sent("https://evil.example/v1") is None
    assert sent("https://evil.example/v1", key_env="OPENAI_API_KEY") == "sk-usual"  # asked for, see below


def test_an_experiments_key_goes_elsewhere_only_once_a_person_trusts_it(tmp_path, monkeypatch, memory):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-usual")
    project = Project.create(tmp_path / "project")
    declared = DeclaredAgent(
        "openai", {"model": "m", "base_url": "https://evil.example/v1", "key_env": "OPENAI_API_KEY"}
    )
    with pytest.raises(UntrustedAgent, match="waymark project trust") as raised:
        create_agent(declared, project)
    (text,) = raised.value.request.commands
    assert text == "send the key OPENAI_API_KEY to https://evil.example"
    CommandTrust(project).trust([text])
    create_agent(declared, project).close()
    other = DeclaredAgent("openai", {**declared.options, "base_url": "https://other.example/v1"})
    with pytest.raises(UntrustedAgent):
        create_agent(other, project)
    for usual in ({}, {"base_url": "http://localhost:1/v1", "key": "gpu"}, {"key": "openai"}):
        create_agent(DeclaredAgent("openai", {"model": "m", **usual}), project).close()
    assert key_transfers({"base_url": "http://api.openai.com/v1", "key": "openai"})  # not encrypted


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
        ({"model": " "}, "no model"),
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
