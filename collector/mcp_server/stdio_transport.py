"""A phone for the program that started this one: the protocol on standard input and output."""

from __future__ import annotations

import anyio

from collector.host.quit_deadline import arm_quit_deadline
from collector.mcp_server.ending import on_signals
from collector.mcp_server.phone_sessions import PhoneSessions
from collector.mcp_server.served_phone import ServedSetup
from collector.mcp_server.tool_server import ToolServer

_END_S = 1.0


def serve_stdio(setup: ServedSetup) -> None:
    """Serve until the standard input ends, or Ctrl+C. Nothing but the protocol is written to its output."""
    anyio.run(_serve, PhoneSessions(setup))


async def _serve(sessions: PhoneSessions) -> None:
    with anyio.CancelScope() as scope:

        def end() -> None:
            # The thread that reads the standard input cannot be woken while its other end is open.
            arm_quit_deadline(0, seconds=_END_S)
            scope.cancel()

        with on_signals(end):
            try:
                await ToolServer(sessions).run_stdio_async()
            except* BrokenPipeError:
                end()  # nobody reads the answers: the client is gone
            finally:
                with anyio.CancelScope(shield=True):
                    await sessions.end_all()
