"""A provider of phones for workers. Virtual phones come from a composition root: this room imports none."""

from __future__ import annotations

from typing import Protocol

from collector.device.transport.adb_device import AdbDevice
from collector.run.phones.phone_facts import PhoneFacts

RUN_PROGRAM = "waymark run"
"""The program in the leases of a run's phones."""


class RunPhone(Protocol):
    """A phone that a worker has to itself until it is released."""

    name: str
    """For a person, as in ``virtual 2`` or ``Pixel 7``."""
    is_virtual: bool

    @property
    def device(self) -> AdbDevice:
        """The phone, connected."""

    def restart(self) -> None:
        """Start it again, with its image as it was. Raises UserError when that fails."""

    def release(self) -> None:
        """Give it back; one that was started for the run ends."""


class PhoneProvider(Protocol):
    """Gives phones to workers. Can be pickled, so that a worker process opens its own."""

    @property
    def count(self) -> int:
        """How many phones it can give at a time."""

    def known(self) -> tuple[PhoneFacts, ...]:
        """What its phones are like, as far as that is known before they are taken; empty where it is not."""

    def acquire(self, number: int) -> RunPhone:
        """The phone of worker ``number``, from 0. Raises UserError."""
