"""Phones for clients on this computer, over streamable HTTP: one for each session."""

from __future__ import annotations

import contextlib
import logging
import socket
from collections.abc import Callable, Iterator

import anyio
import uvicorn
from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from collector.host.sockets import LOOPBACK, listen
from collector.mcp_server.access_token import OneToken
from collector.mcp_server.ending import on_signals
from collector.mcp_server.phone_sessions import IDLE_S, MOST_SESSIONS, PhoneSessions
from collector.mcp_server.phone_tools import SESSION_HEADER
from collector.mcp_server.tool_server import ToolServer, require_session
from collector.model.errors import UserError
from collector.model.i18n import _

PATH = "/mcp"
_LARGEST_REQUEST = 1_000_000
_GRACE_S = 2
"""Seconds that requests under way get when the server ends."""


def serve_http(sessions: PhoneSessions, port: int, token: str, ready: Callable[[str], None]) -> None:
    """Serve on the loopback interface until Ctrl+C; ``ready`` is told the address once somebody can connect.

    Raises UserError for a port that is taken.
    """
    anyio.run(_serve_until_signal, HttpServer(sessions, token), port, ready)


async def _serve_until_signal(server: HttpServer, port: int, ready: Callable[[str], None]) -> None:
    with on_signals(server.end):
        await server.serve(port, ready)


class HttpServer:
    """The server, and the phones of its sessions."""

    def __init__(self, sessions: PhoneSessions, token: str) -> None:
        self._sessions, self._token = sessions, token
        self._server: uvicorn.Server | None = None

    async def serve(self, port: int, ready: Callable[[str], None]) -> None:
        """Serve until :meth:`end`; then switch all phones off. Raises UserError for a port that is taken."""
        with contextlib.closing(_listener(port)) as listener:
            port = listener.getsockname()[1]
            config = uvicorn.Config(
                self._app(port), log_config=None, log_level="warning", access_log=False, server_header=False,
                lifespan="on", timeout_graceful_shutdown=_GRACE_S,
            )  # fmt: skip
            self._server = server = uvicorn.Server(config)
            try:
                with _quiet_end(server):
                    async with anyio.create_task_group() as tasks:
                        tasks.start_soon(self._sessions.keep_ending_idle)
                        ready(f"http://{LOOPBACK}:{port}{PATH}")
                        await server.serve(sockets=[listener])
                        tasks.cancel_scope.cancel()
            finally:
                with anyio.CancelScope(shield=True):
                    await self._sessions.end_all()

    def end(self) -> None:
        """Ask the server to end."""
        if self._server is not None:
            self._server.should_exit = True

    def _app(self, port: int) -> Starlette:
        """The web application that answers on a port."""
        names = [f"{host}:{port}" for host in (LOOPBACK, "localhost")]
        server = ToolServer(
            self._sessions, middleware=[require_session], token_verifier=OneToken(self._token),
            auth=AuthSettings(issuer_url=AnyHttpUrl(f"http://{names[0]}"), resource_server_url=None),
        )  # fmt: skip
        app = server.streamable_http_app(
            streamable_http_path=PATH, max_request_body_size=_LARGEST_REQUEST, max_sessions=MOST_SESSIONS,
            session_idle_timeout=IDLE_S,
            transport_security=TransportSecuritySettings(
                allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]
            ),
        )  # fmt: skip
        app.add_middleware(_EndOfSessions, sessions=self._sessions)
        return app


def _listener(port: int) -> socket.socket:
    try:
        return listen(port)
    except OSError as error:
        raise UserError(
            _("The phone cannot be served"),
            _("Port {port} is not free ({reason})", port=port, reason=error.strerror),
            _("Choose another port, or leave the choice to the system with --http 0"),
        ) from None


@contextlib.contextmanager
def _quiet_end(server: uvicorn.Server) -> Iterator[None]:
    """Keep uvicorn from reporting the streams as errors that clients hold open when it is asked to end."""

    def says(_record: logging.LogRecord) -> bool:
        return not server.should_exit

    log = logging.getLogger("uvicorn.error")
    log.addFilter(says)
    try:
        yield
    finally:
        log.removeFilter(says)


class _EndOfSessions:
    """Switches the phone of a session off that its client ends."""

    def __init__(self, app: ASGIApp, sessions: PhoneSessions) -> None:
        self._app, self._sessions = app, sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "DELETE":
            await self._app(scope, receive, send)
            return

        async def end_before_answer(message: Message) -> None:
            # A refusal means another's session or a wrong token.
            if message["type"] == "http.response.start" and message["status"] < 400:
                await self._sessions.end(Headers(scope=scope).get(SESSION_HEADER, ""))
            await send(message)

        await self._app(scope, receive, end_before_answer)
