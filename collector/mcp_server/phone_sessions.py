"""The phones of the sessions of a server: one each, made at its first use, off when the session ends."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

import anyio
import anyio.to_thread

from collector.mcp_server.served_phone import ServedPhone, ServedSetup
from collector.model.errors import UserError
from collector.model.i18n import _

MOST_SESSIONS = 8
"""Sessions at a time; a phone takes about 60 MB."""
IDLE_S = 30 * 60.0
"""Seconds without a request after which a session has ended."""
_SWEEP_S = 60.0
_Result = TypeVar("_Result")


@dataclass(eq=False)
class _Session:
    used: float
    lock: anyio.Lock = field(default_factory=anyio.Lock)
    phone: ServedPhone | None = None
    is_over: bool = False


class PhoneSessions:
    """For one event loop. What is done on a phone runs in a thread, one call after another on each phone."""

    def __init__(self, setup: ServedSetup, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock`` gives seconds."""
        self.setup = setup
        self._clock = clock
        self._sessions: dict[str, _Session] = {}

    async def on_phone(self, session_id: str, work: Callable[[ServedPhone], _Result]) -> _Result:
        """Run ``work`` on the phone of a session. Raises UserError, also when there are too many phones."""
        session = await self._session(session_id)
        async with session.lock:
            if session.is_over:
                raise UserError(_("The phone is switched off"), _("its session has ended"))
            session.used = self._clock()
            if session.phone is None:
                session.phone = await anyio.to_thread.run_sync(ServedPhone, self.setup)
            return await anyio.to_thread.run_sync(work, session.phone)

    async def end(self, session_id: str) -> None:
        """Switch the phone of a session off; one without a phone is none."""
        session = self._sessions.pop(session_id, None)
        if session is None:
            return
        session.is_over = True
        with anyio.CancelScope(shield=True):
            async with session.lock:
                phone, session.phone = session.phone, None
                if phone is not None:
                    await anyio.to_thread.run_sync(phone.close)

    async def end_idle(self) -> None:
        """End the sessions that nobody used for a long time."""
        oldest = self._clock() - IDLE_S
        for session_id in [name for name, session in self._sessions.items() if session.used < oldest]:
            await self.end(session_id)

    async def end_all(self) -> None:
        """End every session."""
        for session_id in list(self._sessions):
            await self.end(session_id)

    async def keep_ending_idle(self) -> None:
        """End idle sessions until cancelled."""
        while True:
            await anyio.sleep(_SWEEP_S)
            await self.end_idle()

    async def _session(self, session_id: str) -> _Session:
        found = self._sessions.get(session_id)
        if found is not None:
            return found
        await self.end_idle()
        if len(self._sessions) >= MOST_SESSIONS:
            raise UserError(
                _("There is no phone for another session"),
                _("{most} sessions have one", most=MOST_SESSIONS),
                _("End another session, then try again"),
            )
        return self._sessions.setdefault(session_id, _Session(self._clock()))
