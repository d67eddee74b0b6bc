"""The users of the phone: the owner, and those that ``pm create-user`` adds. Only the owner ever runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

_OWNER_FLAGS, _FULL, _GUEST, _EPHEMERAL = 0xC13, 0x400, 0x4, 0x100
_FIRST = 10
MOST_USERS = 4


@dataclass(frozen=True, slots=True)
class PhoneUser:
    """One user: the number, the name, and the flags of Android's ``UserInfo``."""

    number: int
    name: str
    flags: int

    @property
    def info(self) -> str:
        """As ``UserInfo.toString`` prints it."""
        return f"UserInfo{{{self.number}:{self.name}:{self.flags:x}}}"


class PhoneUsers:
    """The users in order of their numbers."""

    def __init__(self) -> None:
        self._users = {0: PhoneUser(0, "Owner", _OWNER_FLAGS)}
        self._next = _FIRST

    def __iter__(self) -> Iterator[PhoneUser]:
        return iter(list(self._users.values()))

    def __contains__(self, number: int) -> bool:
        return number in self._users

    def create(self, name: str, *, guest: bool = False, ephemeral: bool = False) -> PhoneUser | None:
        """Add a user; None when there are as many as the phone can have."""
        if len(self._users) >= MOST_USERS:
            return None
        flags = _FULL | (_GUEST if guest else 0) | (_EPHEMERAL if ephemeral else 0)
        user = PhoneUser(self._next, name, flags)
        self._users[user.number] = user
        self._next += 1
        return user

    def remove(self, number: int) -> bool:
        """Remove a user; False for the owner and an unknown one."""
        return number != 0 and self._users.pop(number, None) is not None
