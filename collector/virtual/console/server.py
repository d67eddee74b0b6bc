"""The port of the console: each client has a session and a thread, so that none waits for another."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
from pathlib import Path

from collector.host.sockets import listen
from collector.virtual.console.auth_token import read_token, token_path
from collector.virtual.console.emulator import Emulator
from collector.virtual.console.session import ConsoleSession

_MOST_CLIENTS = 16
_BLOCK = 4096
_log = logging.getLogger(__name__)


class ConsoleServer:
    """Listens on the loopback interface from :meth:`start` to :meth:`close`."""

    def __init__(self, emulator: Emulator, port: int, path: Path | None = None) -> None:
        """``path`` is the file of the token, by default that of this account."""
        self.port = port
        self._emulator = emulator
        self._path = path or token_path()
        self._lock = threading.Lock()
        self._clients: set[socket.socket] = set()
        self._listener: socket.socket | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> int:
        """Listen and return the port; OSError when it is taken. The token's file is there from then on."""
        listener = self._listener = listen(self.port)
        self.port = listener.getsockname()[1]
        try:
            read_token(self._path)
        except (OSError, ValueError) as error:
            _log.warning("unable to access %s: the emulator's console will not work: %s", self._path, error)
        self._thread = threading.Thread(
            target=self._accept, args=(listener,), name=f"console {self.port}", daemon=True
        )
        self._thread.start()
        return self.port

    def close(self) -> None:
        """Stop listening and hang up on all clients; safe to call twice."""
        listener, self._listener = self._listener, None
        if listener:
            # Closing alone does not wake a thread blocked in accept().
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        with self._lock:
            clients = list(self._clients)
        for client in clients:
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)
        if self._thread and self._thread is not threading.current_thread():
            self._thread.join(5)

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _address = listener.accept()
            except OSError:
                return
            with self._lock:
                crowded = len(self._clients) >= _MOST_CLIENTS
                if not crowded:
                    self._clients.add(client)
            if crowded:
                client.close()
                continue
            threading.Thread(target=self._serve, args=(client,), name="console client", daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        session = ConsoleSession(self._emulator, self._path)
        try:
            with client:
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                client.sendall(session.greet())
                while not session.is_finished and (data := client.recv(_BLOCK)):
                    client.sendall(session.receive(data))
        except OSError as error:
            _log.debug("a client of the console is gone: %s", error)
        finally:
            with self._lock:
                self._clients.discard(client)
            if self._emulator.is_killed:
                self._emulator.end()
