"""A phone with all its apps, and its shell."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from collector.virtual.device import VirtualDevice
from tests.helpers.shell import run
from tests.helpers.virtual import profile


@pytest.fixture
def device() -> Iterator[VirtualDevice]:
    device = VirtualDevice(profile(input_timeout=0.4))
    yield device
    device.close()


@pytest.fixture
def sh(device: VirtualDevice) -> Callable[[str], str]:
    """Standard output of a command line, followed by its error output."""

    def shell(line: str) -> str:
        out, err, _status = run(device.machine, line)
        return out + err

    return shell


@pytest.fixture
def status(device: VirtualDevice) -> Callable[[str], tuple[str, str, int]]:
    """Output, error output and exit status of a command line."""
    return lambda line: run(device.machine, line)
