"""The listening socket: accepts adb servers on the loopback interface and starts a connection for each."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable

from collector.host.sockets import listen
from collector.virtual.daemon.connection import Connection, ServiceFinder
from collector.virtual.daemon.faults import Faults

_log = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"
_MAX_CONNECTIONS = 16


class AdbDaemon:
    """Listens from :meth:`start` to :meth:`close`; ``port`` 0 takes any free one."""

    def __init__(
        self,
        services: ServiceFinder,
        banner: Callable[[], bytes],
        faults: Faults | None = None,
        port: int = 0,
    ) -> None:
        self.faults = faults or Faults()
        self.port = port
        self._services = services
        self._banner = banner
        self._lock = threading.Lock()
        self._connections: set[Connection] = set()
        self._listener: socket.socket | None = None
        self._thread: threading.Thread | None = None
        self._stop_listening_to_faults: Callable[[], None] = lambda: None

    def start(self) -> int:
        """Listen and return the port; OSError when it is taken."""
        listener = self._listener = listen(self.port)
        self.port = listener.getsockname()[1]
        self._stop_listening_to_faults = self.faults.on_drop(self.drop)
        self._thread = threading.Thread(
            target=self._accept, args=(listener,), name=f"adbd {self.port}", daemon=True
        )
        self._thread.start()
        return self.port

    def close(self) -> None:
        """Stop listening and close all connections, like unplugging the cable."""
        self._stop_listening_to_faults()
        listener, self._listener = self._listener, None
        if listener:
            # Closing alone does not wake a thread blocked in accept().
            try:
                listener.shutdown(socket.SHUT_RDWR)
            except OSError:
                _log.debug("the listener was not connected, as on macOS")
            listener.close()
        self.drop()
        if self._thread and self._thread is not threading.current_thread():
            self._thread.join(5)

    def drop(self) -> None:
        """Close all connections but keep listening."""
        with self._lock:
            connections = list(self._connections)
        for connection in connections:
            connection.close()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                peer, _address = listener.accept()
            except OSError:
                return
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            connection = Connection(peer, self._banner, self._services, self.faults)
            with self._lock:
                crowded = len(self._connections) >= _MAX_CONNECTIONS
                if not crowded:
                    self._connections.add(connection)
            if crowded:
                connection.close()
                continue
            threading.Thread(
                target=self._run_connection, args=(connection,), name="adb connection", daemon=True
            ).start()

    def _run_connection(self, connection: Connection) -> None:
        try:
            connection.run()
        finally:
            with self._lock:
                self._connections.discard(connection)
