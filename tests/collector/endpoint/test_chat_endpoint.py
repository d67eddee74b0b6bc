"""The client of endpoints, against a server that plays right, slow, cut, malformed, refusing and lying."""

from __future__ import annotations

import contextlib
import gzip
import json
import pickle
import shutil
import subprocess
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.device.errors import CallCancelled
from collector.endpoint.chat_endpoint import ChatEndpoint, EndpointUnavailable
from collector.endpoint.chat_reply import NoReply, read_reply
from collector.endpoint.endpoint_options import read_endpoint
from collector.endpoint.http_client import HttpReply
from collector.endpoint.secret_value import SecretValue
from collector.host.sockets import free_port
from tests.helpers import chat_server as play
from tests.helpers.chat_server import ChatServer, TunnelProxy, completion

KEYS = ("choices", "message", "content", "text", "type", "usage", "prompt_tokens", "tool_calls", "function",
        "name", "arguments", "refusal", "finish_reason", "model", "error", "code")  # fmt: skip
KEY = "sk-test/very+secret=0123"
QUESTION = [{"role": "user", "content": "hello"}]


@pytest.fixture(autouse=True)
def _waits_little(monkeypatch):
    monkeypatch.setattr("collector.endpoint.chat_endpoint.FIRST_WAIT_S", 0.0)


@pytest.fixture
def ask():
    """Ask a server that makes the given plays; returns the answer and the server."""
    opened = []

    def run(*plays, cancel=None, fields=None, key=KEY, **options):
        server = ChatServer(*plays)
        opened.append(server)
        server.__enter__()
        settings = read_endpoint({"model": "test-model", "base_url": server.address, **options})
        endpoint = ChatEndpoint(settings, SecretValue(key) if key else None)
        try:
            return endpoint.ask(QUESTION, cancel, fields), server
        finally:
            endpoint.close()

    yield run
    for server in opened:
        server.__exit__(None, None, None)


def test_a_request_is_sent_as_the_api_wants_it_and_the_answer_is_read(ask):
    options = {"body": {"top_p": 0.5, "temperature": None}, "query": {"api-version": "2026-01-01"}}
    prices = {"price_input": 2.0, "price_output": 10.0}
    answer, server = ask(play.right("hi"), fields={"temperature": 0.0}, **options, **prices)
    (request,) = server.requests
    assert request.path == "/v1/chat/completions?api-version=2026-01-01"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["content-type"] == "application/json"
    assert request.headers["host"] == server.address.split("/")[2]
    assert request.body == {"model": "test-model", "messages": QUESTION, "top_p": 0.5}
    usage = answer.usage
    assert (answer.reply.text, answer.reply.model, answer.attempts) == ("hi", "test-model", 1)
    assert (usage.input_tokens, usage.output_tokens, usage.currency) == (1200, 30, "USD")
    assert usage.cost == pytest.approx(1200 * 2e-6 + 30 * 10e-6)
    assert usage.time_ms is not None


def test_another_header_carries_the_key_as_it_is_and_without_a_key_none_is_sent(ask):
    _answer, server = ask(play.right(), key_header="api-key")
    assert server.requests[0].headers["api-key"] == KEY
    assert "authorization" not in server.requests[0].headers
    _answer, server = ask(play.right(), key="")
    assert "authorization" not in server.requests[0].headers


BODY = json.dumps(completion("hi")).encode()
HEAD = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    ("served", "text"),
    [
        (play.chunked(BODY[:9], BODY[9:]), "hi"),
        (play.raw(HEAD + b"\r\n" + BODY), "hi"),  # ends with the connection
        (play.raw(b"HTTP/1.1 100 Continue\r\n\r\n" + HEAD + b"\r\n" + BODY), "hi"),
        (play.raw(HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(BODY)), "hi"),
        (play.page(BODY.decode(), "text/plain"), "hi"),
        (play.right([{"type": "text", "text": "h"}, {"type": "text", "text": "i"}, 7]), "hi"),
        (play.right("a\ud800b"), "a?b"),
        (play.right(None), ""),
        (play.right(7), ""),
    ],
)  # fmt: skip
def test_servers_that_answer_in_their_own_way_are_understood(ask, served, text):
    answer, _server = ask(served)
    assert answer.reply.text == text


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        (None, (None, None)),
        ("many", (None, None)),
        ({"prompt_tokens": -5, "completion_tokens": "30"}, (None, None)),
        ({"prompt_tokens": 10**30, "completion_tokens": True}, (None, None)),
        ({"prompt_tokens": 12.0, "completion_tokens": 3}, (12, 3)),
    ],
)
def test_counts_that_cannot_be_true_are_not_counted(ask, usage, counts):
    answer, _server = ask(play.right(usage=usage), price_input=1.0)
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == counts
    assert (answer.usage.cost is None) == (counts[0] is None)


def test_a_tool_call_that_the_server_took_out_of_the_text_is_put_back(ask):
    call = {"function": {"name": "mobile_use", "arguments": '{"action": "wait"}'}}
    message = {"role": "assistant", "content": None, "tool_calls": [call], "reasoning_content": "I wait"}
    answer, _server = ask(play.document(completion("", choices=[{"message": message}])))
    assert answer.reply.text.split() == ["<tool_call>", '{"name":', '"mobile_use",', '"arguments":',
                                         '{"action":', '"wait"}}', "</tool_call>"]  # fmt: skip
    assert answer.reply.reasoning == "I wait"


LIES = [
    (play.page("<html><body>Sign in</body></html>"), "a web page: '<html><body>Sign in"),
    (play.page("<!doctype html>", "application/json"), "a web page"),
    (play.page("hello"), "a web page"),
    (play.page("hello\nyou", "text/plain"), "no JSON: 'hello you'"),
    (play.page("y" * 5000, "text/plain"), "no JSON: 'yyy.{157}…'"),
    (play.page("", "application/json"), "is empty"),
    (play.document([1]), "no JSON object"),
    (play.page("[" * 100_000, "application/json"), "no JSON"),
    (play.document({"object": "list"}), "no `choices`: .*object.*list"),
    (play.document({"choices": {}}), "no `choices`"),
    (play.document({"choices": []}), "empty list"),
    (play.document({"choices": [7]}), "no `message`"),
    (play.document({"choices": [{"text": "old api"}]}), "no `message`"),
    (play.document({"error": {"message": "overloaded"}}), "overloaded"),
    (play.chunked(BODY[:9], end=False), "before its answer was complete"),
    (play.raw(HEAD + b"Content-Length: 5000\r\n\r\n{"), "before its answer was complete"),
    (play.raw(HEAD + b"Content-Length: -5\r\n\r\n{}"), "not answer as a web server"),
    (play.raw(HEAD + b"Content-Length: 99999999999\r\n\r\n{}"), "longer than 8 MB"),
    (play.raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"), "not answer as a web server"),
    (play.raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\nffffffff\r\n"), "longer than 8 MB"),
    (play.raw(HEAD + b"Content-Encoding: gzip\r\n\r\nnone"), "not answer as a web server"),
    (
        play.raw(HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"x" * 9_000_000)),
        "longer than 8 MB",
    ),
    (play.raw(b"SSH-2.0-OpenSSH_9.6\r\n\r\n"), "not answer as a web server"),
    (play.raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000), "not answer as a web server"),
    (play.flooding, "longer than 8 MB"),
    (play.dropping, "before its answer was complete"),
]


@pytest.mark.parametrize(("lie", "reason"), LIES)
@pytest.mark.fault("F29")
def test_a_lying_endpoint_ends_in_a_sentence(ask, lie, reason):
    with pytest.raises(EndpointUnavailable, match=reason) as raised:
        ask(lie, retries=0)
    assert raised.value.what.startswith("The model test-model at http://127.0.0.1:")
    assert raised.value.to_do


def test_faults_that_pass_are_tried_again_with_a_limit(ask):
    plays = [play.dropping, play.refusing(503, "busy"), play.refusing(429, "slow down", Retry_After="0")]
    answer, server = ask(*plays, play.right(), retries=3)
    assert (answer.attempts, len(server.requests)) == (4, 4)
    with pytest.raises(EndpointUnavailable, match=r"failed \(500\): busy, in 3 attempts") as raised:
        ask(play.refusing(500, "busy"), retries=2)
    assert "See the log" in str(raised.value)


@pytest.mark.parametrize(
    ("play_", "reason"),
    [
        (play.refusing(401, "bad key"), r"refuses the key \(401\): bad key"),
        (play.refusing(403), r"refuses the key \(403\)"),
        (play.refusing(404, "no such model"), r"no such place or model \(404\): no such model"),
        (play.refusing(400, "image too large"), r"refuses the request \(400\): image too large"),
        (play.refusing(429, "quota", "insufficient_quota"), "no quota left"),
        (
            play.refusing(429, "later", Retry_After="3600"),
            "no more requests for now .429.: later; it asks to wait 3600 s",
        ),
        (
            play.refusing(307, Location="http://127.0.0.1:1/v2"),
            "sends requests on to 'http://127.0.0.1:1/v2'",
        ),
        (play.page("<h1>Forbidden</h1>", status=403), "refuses the key"),
    ],
)
def test_faults_that_stay_are_not_tried_again(play_, reason):
    with ChatServer(play_) as server:
        endpoint = ChatEndpoint(read_endpoint({"model": "m", "base_url": server.address}), SecretValue(KEY))
        with pytest.raises(EndpointUnavailable, match=reason) as raised:
            endpoint.ask(QUESTION)
        endpoint.close()
    assert len(server.requests) == 1
    assert raised.value.to_do


def test_a_refused_key_says_where_keys_are_looked_for(ask):
    with pytest.raises(EndpointUnavailable) as raised:
        ask(play.refusing(401), key="", retries=0)
    assert "Name a key with the option `key`" in raised.value.to_do
    with pytest.raises(EndpointUnavailable) as raised:
        ask(play.refusing(401), retries=0, key_env="MY_KEY")
    assert raised.value.to_do == "Set the environment variable MY_KEY"


def test_a_filter_of_the_prompt_is_an_answer_and_no_fault(ask):
    answer, _server = ask(play.refusing(400, "blocked", "content_filter"))
    assert (answer.reply.is_filtered, answer.reply.refusal) == (True, "blocked")


def test_the_key_is_in_no_error_and_no_answer(ask, caplog):
    with pytest.raises(EndpointUnavailable) as raised:
        ask(play.echoing_key, retries=0)
    assert "[key]" in str(raised.value)
    answer, _server = ask(play.telling_key)
    assert "[key]" in answer.reply.text
    for text in (str(raised.value), repr(raised.value), answer.reply.text, repr(answer), caplog.text):
        assert KEY not in text
    key = SecretValue(KEY)
    endpoint = ChatEndpoint(read_endpoint({"model": "m"}), key)
    assert KEY not in repr(endpoint) + repr(endpoint.settings) + repr(key)


def test_every_form_of_a_key_is_masked():
    key = SecretValue(KEY)
    forms = (KEY, "sk-test%2Fvery%2Bsecret%3D0123", "c2stdGVzdC92ZXJ5K3NlY3JldD0wMTIz")
    assert [key.mask(f"a {form} b") for form in forms] == ["a [key] b"] * 3
    assert SecretValue("none").mask("none at all") == "none at all"


@pytest.mark.parametrize("hang", [play.hanging, play.hanging_in_body])
def test_a_request_that_hangs_is_cancelled_at_once(hang):
    cancel = threading.Event()
    with ChatServer(hang) as server:
        endpoint = ChatEndpoint(read_endpoint({"model": "m", "base_url": server.address}), SecretValue(KEY))
        ended = []

        def ask_it():
            with pytest.raises(CallCancelled):
                endpoint.ask(QUESTION, cancel)
            ended.append(time.monotonic())
            endpoint.close()

        thread = threading.Thread(target=ask_it)
        thread.start()
        assert server.hanging.wait(10)
        began = time.monotonic()
        cancel.set()
        thread.join(10)
    assert ended
    assert ended[0] - began < 2  # 0.05 s as a rule; the machine may be busy


def test_the_wait_between_two_attempts_is_cancelled(monkeypatch, ask):
    monkeypatch.setattr("collector.endpoint.chat_endpoint.FIRST_WAIT_S", 30.0)

    class CancelledWait(threading.Event):
        def wait(self, timeout=None):
            assert 22.5 <= timeout <= 37.5  # 30 s and the jitter
            return True

    with pytest.raises(CallCancelled):
        ask(play.refusing(503), cancel=CancelledWait())


@pytest.mark.fault("F29")
def test_a_slow_answer_is_given_up_after_its_time(ask):
    with pytest.raises(EndpointUnavailable, match=r"did not answer within 0.2 s, in 2 attempts"):
        ask(play.hanging, timeout_s=0.2, retries=1)


def test_nothing_listens(ask):
    endpoint = ChatEndpoint(
        read_endpoint({"model": "m", "base_url": f"http://127.0.0.1:{free_port()}", "retries": 0}), None
    )
    with pytest.raises(EndpointUnavailable, match="nothing listens at"):
        endpoint.ask(QUESTION)
    endpoint.close()


def test_a_plain_server_does_not_speak_https(ask):
    with ChatServer(play.right()) as server:
        address = server.address.replace("http:", "https:")
        endpoint = ChatEndpoint(read_endpoint({"model": "m", "base_url": address, "retries": 0}), None)
        with pytest.raises(EndpointUnavailable, match="does not speak https"):
            endpoint.ask(QUESTION)
        endpoint.close()
    assert not server.requests


def test_an_endpoint_can_be_sent_to_another_process_before_its_first_use():
    endpoint = ChatEndpoint(read_endpoint({"model": "m"}), None)
    assert pickle.loads(pickle.dumps(endpoint)).settings == endpoint.settings


def test_a_proxy_of_the_environment_gets_a_tunnel_and_not_the_key(monkeypatch):
    with ChatServer(play.right("hi")) as server, TunnelProxy(server) as proxy:
        monkeypatch.setenv("http_proxy", f"http://me:pass@127.0.0.1:{proxy.server_address[1]}")
        monkeypatch.delenv("no_proxy", raising=False)
        settings = read_endpoint({"model": "m", "base_url": "http://models.example/v1", "key": "gpu"})
        endpoint = ChatEndpoint(settings, SecretValue(KEY))
        assert endpoint.ask(QUESTION).reply.text == "hi"
        endpoint.close()
    assert proxy.asked == [("models.example:80", "Basic bWU6cGFzcw==")]
    assert server.requests[0].headers["host"] == "models.example"
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free_port()}")
    endpoint = ChatEndpoint(
        read_endpoint({"model": "m", "base_url": "http://models.example/v1", "retries": 0})
    )
    with pytest.raises(EndpointUnavailable):
        endpoint.ask(QUESTION)
    endpoint.close()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
def test_a_certificate_is_checked(tmp_path, monkeypatch):
    both, certificate = tmp_path / "both.pem", tmp_path / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-days", "2", "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", both,
         "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    both.write_text(both.read_text() + certificate.read_text())
    with ChatServer(play.right("hi"), certificate=both) as server:
        endpoint = ChatEndpoint(
            read_endpoint({"model": "m", "base_url": server.address, "retries": 0}), SecretValue(KEY)
        )
        with pytest.raises(EndpointUnavailable, match=r"certificate of 127.0.0.1 is not trusted"):
            endpoint.ask(QUESTION)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert endpoint.ask(QUESTION).reply.text == "hi"
        endpoint.close()
    assert len(server.requests) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=60)
@given(JSON)
def test_any_json_is_an_answer_or_a_reason(value):
    body = json.dumps(value).encode()
    for document in (body, b'{"choices": [' + body + b"]}", b'{"choices": [{"message": ' + body + b"}]}"):
        with contextlib.suppress(NoReply):
            reply = read_reply(HttpReply(200, {}, document))
            reply.text.encode()
            assert reply.input_tokens is None or reply.input_tokens >= 0
