"""A process that has loaded all that a phone needs, and forks the processes of a vector's phones.

They share its pages as long as nobody writes to them, which is most of the interpreter, the libraries, the
fonts and the words. It runs on one thread, because only the thread that forks lives on in a child. It and its
phones end when the program that started it ends, however that happens.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Mapping
from typing import Any

from collector.environment import phone_worker
from collector.environment.phone_environment import PhoneEnvironment
from collector.host.python_processes import fork
from collector.host.sockets import inherited_socket
from collector.model.action import OpenApp
from collector.virtual.memory import configure_malloc, release_memory

PID, CODE = "pid", "code"
"""Keys of the answers: to a request that names no process, which begins one; and to one that waits for it."""
SECONDS = "seconds"
"""Key of a request that waits: how long, before the process is killed."""
LONGEST = 1024
"""Bytes of a request, or of an answer."""
DESCRIPTORS = 3
"""The standard input, output and errors of a phone, which go with the request for it."""
_LOOK_S = 0.01


def main() -> None:
    """Serve the socket whose number is given: a datagram of JSON for each request, and for each answer."""
    configure_malloc()
    _load()
    with inherited_socket(int(sys.argv[1])) as requests:
        descriptors = _serve(requests)
    if not descriptors:
        return
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    phone_worker.main()


def _serve(requests: socket.socket) -> list[int]:
    """Answer until nobody can ask any more. Returns again in each forked process, with its files."""
    while True:
        message, descriptors, _flags, _address = socket.recv_fds(requests, LONGEST, DESCRIPTORS)
        if not message:
            return []
        request = json.loads(message)
        if PID in request:
            answer = {CODE: _ended(request)}
        elif pid := fork():
            for descriptor in descriptors:
                os.close(descriptor)
            answer = {PID: pid}
        else:
            return descriptors
        requests.send(json.dumps(answer).encode())


def _load() -> None:
    """Load what phones use, by using it once: modules, fonts, words and the first screens of apps."""
    environment = PhoneEnvironment(copies=False)
    environment.reset()
    for app in environment.phone.app_names:
        environment.step(OpenApp(app))
    environment.close()
    del environment
    gc.collect()
    release_memory()
    gc.freeze()  # a look for garbage would write to every object, and so copy its page


def _ended(request: Mapping[str, Any]) -> int:
    """The exit code of a phone's process, negative for a signal; it is killed when it takes too long."""
    until = time.monotonic() + request[SECONDS]
    pid, status = os.waitpid(request[PID], os.WNOHANG)
    while not pid and time.monotonic() < until:
        time.sleep(_LOOK_S)
        pid, status = os.waitpid(request[PID], os.WNOHANG)
    if not pid:
        os.kill(request[PID], signal.SIGKILL)
        pid, status = os.waitpid(request[PID], 0)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    main()
