"""Start a program whose pipes an event loop reads and writes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from collector.host.environment import names_folder, safe_environment
from collector.host.programs import absolute_words


async def start_connected(
    protocol: Callable[[], asyncio.SubprocessProtocol], words: Sequence[str], folder: Path,
    environment: Mapping[str, str],
) -> asyncio.SubprocessTransport:  # fmt: skip
    """Start a program in a session of its own, with its pipes connected to ``protocol``. Raises OSError.

    A first word with a folder in it is taken relative to ``folder``: a person trusted the program there.
    """
    first, *others = words
    program = str(folder / first) if names_folder(first) else first
    transport, _protocol = await asyncio.get_running_loop().subprocess_exec(
        protocol, *absolute_words([program, *others]), cwd=folder, env=safe_environment(environment),
        start_new_session=os.name == "posix",
    )  # fmt: skip
    return transport
