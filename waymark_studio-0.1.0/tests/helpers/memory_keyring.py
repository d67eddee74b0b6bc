"""A keyring of the tests: keeps keys in memory, or fails as one of a computer without a screen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import keyring
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as FailingKeyring
from keyring.errors import PasswordDeleteError


class MemoryKeyring(KeyringBackend):
    """Keeps keys while the test runs."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.keys: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.keys.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.keys[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if (service, username) not in self.keys:
            raise PasswordDeleteError
        del self.keys[service, username]


@contextmanager
def use_keyring(backend: KeyringBackend | None = None) -> Iterator[KeyringBackend]:
    """Put a keyring in place of the system's; without one there is none on this computer."""
    before = keyring.get_keyring()
    chosen = backend or FailingKeyring()  # type: ignore[no-untyped-call]
    keyring.set_keyring(chosen)
    try:
        yield chosen
    finally:
        keyring.set_keyring(before)
