"""Which release is the newest, as the Python Package Index has it.

Source of the answer: https://docs.pypi.org/api/json. The request holds nothing of the person or the project:
the address, and no header but those of HTTP.
"""

from __future__ import annotations

import json
import os
import re
import threading
from dataclasses import dataclass

from collector import __version__
from collector.endpoint.http_address import read_address
from collector.endpoint.http_client import HttpFault, HttpReply, get
from collector.endpoint.private_loop import PrivateLoop
from collector.model.errors import UserError
from collector.model.i18n import _

VARIABLE = "WAYMARK_RELEASES"
"""Environment variable with another address that answers alike, such as a mirror of a company."""
_ADDRESS = "https://pypi.org/pypi/waymark-studio/json"
_SECONDS = 10.0
_MOST_BYTES = 8_000_000
_VERSION = re.compile(r"\d+(\.\d+){1,3}")


@dataclass(frozen=True)
class NewestRelease:
    """The version that is installed, and the newest that is published."""

    installed: str
    newest: str

    @property
    def is_newer(self) -> bool:
        """Whether the newest comes after the installed one."""
        return _numbers(self.newest) > _numbers(self.installed)


def releases_address() -> str:
    """The address that is asked."""
    return os.environ.get(VARIABLE, "") or _ADDRESS


def ask_newest_release(cancel: threading.Event | None = None) -> NewestRelease:
    """Ask for the newest release, for at most 10 seconds.

    Raises UserError when there is no answer or none that names a version, CallCancelled.
    """
    address = read_address(releases_address())
    loop = PrivateLoop()
    try:
        reply = loop.run(get(address, {"Accept": "application/json"}, _MOST_BYTES), _SECONDS, cancel)
    except HttpFault as error:
        raise _unknown(str(error)) from None
    except TimeoutError:
        raise _unknown(_("{host} did not answer within {seconds} s", host=address.host, seconds=10)) from None
    finally:
        loop.close()
    return NewestRelease(__version__, _version_in(reply, address.host))


def _version_in(reply: HttpReply, host: str) -> str:
    if reply.status != 200:
        raise _unknown(_("{host} answered with the status {status}", host=host, status=reply.status))
    try:
        version = json.loads(reply.body)["info"]["version"]
    except (ValueError, LookupError, TypeError, RecursionError):
        version = None
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        raise _unknown(_("the answer of {host} names no version", host=host))
    return version


def _unknown(why: str) -> UserError:
    return UserError(
        _("The newest version is not known"), why, _("Try again later, or look where you got the program")
    )


def _numbers(version: str) -> tuple[int, ...]:
    match = re.match(r"[\d.]*\d", version)
    numbers = [int(number) for number in match[0].split(".")] if match else []
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
