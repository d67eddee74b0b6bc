"""A server on the loopback address that speaks OpenAI's chat completions, and misbehaves as it is told.

Each request gets the next of the ``plays`` it was given, the last one again and again. A play is a function
of the exchange; those below answer right, slowly, wrongly or not at all.
"""

from __future__ import annotations

import base64
import io
import json
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from PIL import Image

TAP = 'Reason: it is there\nAction: {"action_type": "click", "x": 5, "y": 6}'


@dataclass(frozen=True)
class ChatRequest:
    """A request as it arrived."""

    path: str
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.raw)
        return document

    @property
    def messages(self) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = self.body["messages"]
        return messages

    @property
    def roles(self) -> list[str]:
        return [message["role"] for message in self.messages]

    @property
    def texts(self) -> list[str]:
        """The text of each message, its parts together."""
        return [_text(message["content"]) for message in self.messages]

    @property
    def pictures(self) -> list[tuple[str, bytes]]:
        """Media type and bytes of each picture, the last message's last."""
        urls = [
            part["image_url"]["url"]
            for message in self.messages
            if isinstance(message["content"], list)
            for part in message["content"]
            if part["type"] == "image_url"
        ]
        return [
            (url.partition(";")[0].removeprefix("data:"), base64.b64decode(url.partition(",")[2]))
            for url in urls
        ]

    @property
    def images(self) -> list[Image.Image]:
        return [Image.open(io.BytesIO(data)).convert("RGB") for _type, data in self.pictures]


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


class Exchange(BaseHTTPRequestHandler):
    """One connection; a play answers through it."""

    protocol_version = "HTTP/1.1"
    timeout = 20
    server: ChatServer

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])))

    def _answer(self, raw: bytes) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        play = self.server.receive(ChatRequest(self.path, headers, raw))
        try:
            play(self)
        except (ConnectionError, TimeoutError):  # the client has gone, as it should
            self.close_connection = True

    def send(self, status: int, body: bytes, content_type: str = "application/json", **headers: str) -> None:
        """Answer whole."""
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def send_raw(self, data: bytes) -> None:
        """Write bytes that need be no HTTP, and end the connection."""
        self.close_connection = True
        self.wfile.write(data)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base class
        return


Play = Callable[[Exchange], None]


class ChatServer(ThreadingHTTPServer):
    """The server. Only the loopback address reaches it; ``address`` is its base."""

    daemon_threads = False
    block_on_close = True

    def __init__(self, *plays: Play, certificate: Path | None = None, port: int = 0) -> None:
        """With ``certificate``, a file of a key and its certificate, it speaks https. 0: any free port."""
        super().__init__(("127.0.0.1", port), Exchange)
        self._scheme = "https" if certificate is not None else "http"
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.requests: list[ChatRequest] = []
        self.hanging = threading.Event()
        """Set while a request is not answered."""
        self.ended = threading.Event()
        self._plays = list(plays)
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), name="chat server")

    @property
    def address(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ended.set()
        self.shutdown()
        self._thread.join()
        self.server_close()

    def receive(self, request: ChatRequest) -> Play:
        """Keep a request, and give what answers it."""
        with self._lock:
            self.requests.append(request)
            return self._plays.pop(0) if len(self._plays) > 1 else self._plays[0]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is no error of the server."""


# -- plays -------------------------------------------------------------------
def completion(text: Any, finish_reason: str = "stop", **changes: Any) -> dict[str, Any]:
    """An answer as the API has it; ``changes`` replace its keys, one that is None goes."""
    document = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "test-model",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish_reason}
        ],
        "usage": {"prompt_tokens": 1200, "completion_tokens": 30, "total_tokens": 1230},
        **changes,
    }
    return {name: value for name, value in document.items() if value is not None}


def right(text: Any = TAP, finish_reason: str = "stop", **changes: Any) -> Play:
    """An answer of the model."""
    return document(completion(text, finish_reason, **changes))


def document(value: Any) -> Play:
    """Any JSON with status 200."""
    return lambda exchange: exchange.send(200, json.dumps(value).encode())


def page(body: str, content_type: str = "text/html", status: int = 200) -> Play:
    """What is no JSON, or says that it is none."""
    return lambda exchange: exchange.send(status, body.encode(), content_type)


def refusing(status: int, message: str = "", code: str = "", **headers: str) -> Play:
    """An error of the API."""
    body = json.dumps({"error": {"message": message, "code": code}} if message or code else {}).encode()
    return lambda exchange: exchange.send(status, body, **headers)


def echoing_key(exchange: Exchange) -> None:
    """Says the key of the request again, in an error."""
    key = str(exchange.headers["Authorization"])
    exchange.send(401, json.dumps({"error": {"message": f"Incorrect API key provided: {key}"}}).encode())


def telling_key(exchange: Exchange) -> None:
    """Says the key of the request again, in an answer."""
    exchange.send(200, json.dumps(completion(f"{TAP} {exchange.headers['Authorization']}")).encode())


def hanging(exchange: Exchange) -> None:
    """Answers never."""
    exchange.server.hanging.set()
    exchange.close_connection = True
    exchange.server.ended.wait(30)


def hanging_in_body(exchange: Exchange) -> None:
    """Begins an answer and never ends it."""
    exchange.send_raw(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{")
    hanging(exchange)


def raw(data: bytes) -> Play:
    """Bytes that need be no HTTP, then the end of the connection."""
    return lambda exchange: exchange.send_raw(data)


def dropping(exchange: Exchange) -> None:
    """Ends the connection without a word."""
    exchange.close_connection = True


def flooding(exchange: Exchange) -> None:
    """Sends without an end, until the client goes."""
    exchange.send_raw(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    while not exchange.server.ended.is_set():
        exchange.wfile.write(b"x" * 65536)


def chunked(*parts: bytes, end: bool = True) -> Play:
    """An answer in chunks, cut before its last one unless ``end``."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
    return raw(head + body + (b"0\r\n\r\n" if end else b"5\r\nab"))


class TunnelProxy(ThreadingHTTPServer):
    """A proxy that lets everybody through to one server, whatever host they ask for."""

    daemon_threads = False
    block_on_close = True

    def __init__(self, server: ChatServer) -> None:
        super().__init__(("127.0.0.1", 0), TunnelExchange)
        self.target = server.server_address[1]
        self.asked: list[tuple[str, str | None]] = []
        """Host and credentials of each tunnel."""
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), name="proxy")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()


class TunnelExchange(BaseHTTPRequestHandler):
    """One tunnel."""

    server: TunnelProxy

    def do_CONNECT(self) -> None:
        self.server.asked.append((self.path, self.headers["Proxy-Authorization"]))
        self.close_connection = True
        with socket.create_connection(("127.0.0.1", self.server.target)) as far:
            self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=_pump, args=(far, self.connection), name="proxy back")
            back.start()
            _pump(self.connection, far)
            back.join()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base class
        return


def _pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:  # one side has gone
        return
