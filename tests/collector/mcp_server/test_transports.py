"""The server over standard input and output and over HTTP, tried with the SDK's own client."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from collector.host.sockets import is_free, listen
from collector.mcp_server import phone_sessions, stdio_transport
from collector.mcp_server.access_token import new_token, token_in
from collector.mcp_server.http_transport import HttpServer
from collector.mcp_server.phone_sessions import PhoneSessions
from collector.mcp_server.served_phone import ServedPhone, ServedSetup
from collector.mcp_server.tool_server import ToolServer
from collector.model.errors import UserError
from tests.helpers.scripts import ROOT
from tests.helpers.training import SAMPLE

COMMAND = [sys.executable, "-m", "collector.cli.main", "mcp"]
TOKEN = "a-token-for-tests-0123456789"
HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {},
               "clientInfo": {"name": "test", "version": "1"}},
}  # fmt: skip
ACCEPTED = {"Accept": "application/json, text/event-stream"}


class CountedPhone(ServedPhone):
    """Counts the phones that are switched on."""

    on = 0

    def __init__(self, setup):
        super().__init__(setup)
        CountedPhone.on += 1

    def close(self):
        super().close()
        CountedPhone.on -= 1


@pytest.fixture
def counted(monkeypatch):
    monkeypatch.setattr(phone_sessions, "ServedPhone", CountedPhone)
    monkeypatch.setattr(CountedPhone, "on", 0)
    return CountedPhone


@contextlib.asynccontextmanager
async def serving():
    """The address of a server that ends with the block."""
    server = HttpServer(PhoneSessions(ServedSetup()), TOKEN)
    ready = asyncio.get_running_loop().create_future()
    task = asyncio.ensure_future(server.serve(0, ready.set_result))
    yield await ready
    server.end()
    await task


@contextlib.asynccontextmanager
async def web(token=TOKEN, **headers):
    known = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx2.AsyncClient(headers={**known, **headers}) as client:
        yield client


@contextlib.asynccontextmanager
async def connected(address, **options):
    async with (
        web() as client,
        Client(streamable_http_client(address, http_client=client), **options) as each,
    ):
        yield each


async def step_of(client, tool="observe", **arguments):
    result = await client.call_tool(tool, {"picture": False, **arguments})
    assert not result.is_error, result.content[0].text
    answer = result.structured_content
    return answer.get("screen", answer)["step"]


HOME = {"action": {"kind": "key", "key": "home"}}


def test_two_sessions_do_not_mix_and_each_phone_ends_with_its_session(counted):
    async def test():
        async with serving() as address:
            # The first asks for the version without sessions, and takes one that has them.
            async with connected(address) as one, connected(address, mode="legacy") as other:
                assert one.protocol_version == other.protocol_version == "2025-11-25"
                assert await step_of(one, "act", **HOME) == 1
                assert await step_of(one, "act", **HOME) == 2
                assert await step_of(other) == 0
                assert await step_of(other, "act", **HOME) == 1
                assert await step_of(one) == 2
                assert counted.on == 2
            assert counted.on == 0
            async with connected(address) as third:
                assert await step_of(third) == 0
                assert counted.on == 1

    asyncio.run(test())
    assert counted.on == 0


@pytest.mark.expected_log("Session termination failed")
def test_phones_are_switched_off_when_the_server_ends_first(counted):
    async def test():
        async with connected_to_ending_server() as client:
            assert await step_of(client) == 0
            assert counted.on == 1

    @contextlib.asynccontextmanager
    async def connected_to_ending_server():
        async with contextlib.AsyncExitStack() as stack:
            async with serving() as address:
                yield await stack.enter_async_context(connected(address, mode="legacy"))
            assert counted.on == 0

    asyncio.run(test())


@pytest.mark.expected_log("Invalid (Host|Origin) header")
def test_only_who_knows_the_token_and_the_right_name_of_the_server_is_answered(counted):
    async def test():
        async with serving() as address:
            port = address.rpartition(":")[2].partition("/")[0]

            async def status(token=TOKEN, method="POST", **headers):
                async with web(token, **headers) as client:
                    if method == "POST":
                        return (await client.post(address, json=HELLO, headers=ACCEPTED)).status_code
                    return (await client.request(method, address, headers=ACCEPTED)).status_code

            assert await status() == 200
            for wrong in ("", TOKEN[:-1], TOKEN + "x", TOKEN.upper()):
                assert await status(wrong) == 401
            assert await status("", "GET") == 401
            assert await status("", "DELETE") == 401
            assert await status(Host=f"localhost:{port}") == 200
            for host in ("evil.example", f"evil.example:{port}", "127.0.0.1:1", f"localhost.evil:{port}"):
                assert await status(Host=host) == 421
            assert await status(Origin=f"http://localhost:{port}") == 200
            assert await status(Origin="http://evil.example") == 403
            assert await status(**{"Mcp-Session-Id": "0" * 32}) == 404
            async with web() as client:
                assert (await client.post(address, content=b" " * 1_000_001)).status_code == 413

    asyncio.run(test())


def test_a_client_without_the_token_cannot_end_the_session_of_another(counted):
    async def test():
        async with serving() as address, web() as owner:
            begun = await owner.post(address, json=HELLO, headers=ACCEPTED)
            session = {"Mcp-Session-Id": begun.headers["mcp-session-id"], **ACCEPTED}
            look = {
                "jsonrpc": "2.0",
                "id": 2,
                "method": "tools/call",
                "params": {"name": "tree", "arguments": {}},
            }
            await owner.post(address, json={"jsonrpc": "2.0", "method": "notifications/initialized"},
                             headers=session)  # fmt: skip
            await owner.post(address, json=look, headers=session)
            assert counted.on == 1
            async with web("another-token-0123456789") as stranger:
                assert (await stranger.delete(address, headers=session)).status_code == 401
            assert counted.on == 1
            assert (await owner.delete(address, headers=session)).status_code == 200
            assert counted.on == 0
            assert (await owner.post(address, json=look, headers=session)).status_code == 404

    asyncio.run(test())


def test_over_standard_input_and_output_nothing_but_the_protocol_is_written(tmp_path):
    async def test():
        log = (tmp_path / "log").open("w+")
        server = StdioServerParameters(
            command=COMMAND[0], args=[*COMMAND[1:], str(SAMPLE), "--task", "todo-04", "--seed", "7"],
            env=dict(os.environ), cwd=ROOT,
        )  # fmt: skip
        with log:
            async with Client(stdio_client(server, errlog=log)) as client:
                assert client.protocol_version == "2026-07-28"
                begun = (await client.call_tool("reset", {"picture": False})).structured_content
                assert (begun["task"]["id"], begun["seed"]) == ("todo-04", 7)
                assert await step_of(client, "act", **HOME) == 1
            log.seek(0)
            said = log.readlines()
        assert said == []

    asyncio.run(test())


def test_a_client_that_reads_no_more_ends_the_server_without_a_traceback(monkeypatch):
    async def broken(_server):
        raise ExceptionGroup("of the SDK", [BrokenPipeError()])

    ends = []
    monkeypatch.setattr(ToolServer, "run_stdio_async", broken)
    monkeypatch.setattr(stdio_transport, "arm_quit_deadline", lambda code, **_options: ends.append(code))
    stdio_transport.serve_stdio(ServedSetup())
    assert ends == [0]


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C of another console")
def test_ctrl_c_ends_the_server_while_a_client_is_connected(tmp_path):
    secret = tmp_path / "token"
    words = [*COMMAND, "--http", "0", "--token-file", str(secret)]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        address, token = said.split()[-1], secret.read_text().strip()

        async def test():
            async with web(token) as client:
                begun = await client.post(address, json=HELLO, headers=ACCEPTED)
                session = {"Mcp-Session-Id": begun.headers["mcp-session-id"], **ACCEPTED}
                async with client.stream("GET", address, headers=session) as held:
                    assert held.status_code == 200
                    process.send_signal(signal.SIGINT)
                    with contextlib.suppress(httpx2.RemoteProtocolError):
                        async for _part in held.aiter_bytes():
                            pass

        asyncio.run(test())
        output, rest = process.communicate(timeout=30)
    assert (process.returncode, output, rest) == (0, "", "")
    assert token not in said + rest
    assert is_free(int(address.rpartition(":")[2].partition("/")[0]))


# -- the token -------------------------------------------------------------------


def test_the_file_of_the_token_is_made_for_its_owner_alone_and_kept(tmp_path):
    path = tmp_path / "token"
    token = token_in(path)
    assert token_in(path) == token != new_token()
    if os.name == "posix":
        assert path.stat().st_mode & 0o077 == 0
        path.chmod(0o644)
        with pytest.raises(UserError, match="other accounts may read the file"):
            token_in(path)


@pytest.mark.parametrize("text", ["short", "has a space in the middle", "\x1b[2J" * 9, "x" * 600])
def test_a_file_that_holds_no_token_is_refused_and_left_alone(tmp_path, text):
    path = tmp_path / "token"
    path.touch(mode=0o600)
    path.write_text(text)
    with pytest.raises(UserError, match="letters, digits"):
        token_in(path)
    assert path.read_text() == text


def test_a_port_that_is_taken_is_said(tmp_path):
    server = HttpServer(PhoneSessions(ServedSetup()), TOKEN)
    with listen() as taken, pytest.raises(UserError, match="is not free"):
        asyncio.run(server.serve(taken.getsockname()[1], print))
