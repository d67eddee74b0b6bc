"""The address of an endpoint, checked before anything is sent to it."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, urlencode, urlsplit

from collector.model.errors import UserError
from collector.model.i18n import _

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class HttpAddress:
    """Where a request goes. Holds no name and no password."""

    scheme: str
    host: str
    port: int
    target: str
    """Path and query, as the request line has them."""

    def __str__(self) -> str:
        return f"{self.origin}{self.target}"

    @property
    def origin(self) -> str:
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.bracketed_host}{port}"

    @property
    def bracketed_host(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def is_loopback(self) -> bool:
        """Whether it is this computer, whatever a name server says."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def below(self, path: str, query: dict[str, str] | None = None) -> HttpAddress:
        """The address of ``path`` below this one, as in ``chat/completions``."""
        base, _mark, own = self.target.partition("?")
        both = "&".join(part for part in (own, urlencode(query or {})) if part)
        target = f"{base.rstrip('/')}/{path}" + (f"?{both}" if both else "")
        return HttpAddress(self.scheme, self.host, self.port, target)


def read_address(text: str) -> HttpAddress:
    """Read an address such as ``http://127.0.0.1:8000/v1``. Raises UserError with what is wrong with it."""
    what = _("{value} is no address of an endpoint", value=_shown(text))
    if any(character.isspace() or not character.isprintable() for character in text):
        raise UserError(what, _("it has a space or a control character"), _("Correct base_url"))
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise UserError(what, str(error), _("Correct base_url")) from None
    if parts.username is not None or parts.password is not None:
        # Not shown: the part before the @ is a secret.
        raise UserError(
            _("base_url holds a password"), "",
            _("Remove it, and keep the key with `waymark agent key set`"),
        )  # fmt: skip
    if parts.scheme not in _PORTS or not parts.hostname:
        raise UserError(what, "", _("Write it as in http://127.0.0.1:8000/v1"))
    return HttpAddress(
        parts.scheme, _ascii_host(parts.hostname, what), port or _PORTS[parts.scheme], _target(parts)
    )


def _ascii_host(host: str, what: str) -> str:
    try:
        return host if ":" in host else host.encode("idna").decode("ascii")
    except UnicodeError:
        raise UserError(what, _("the name of the host cannot be read"), _("Correct base_url")) from None


def _target(parts: SplitResult) -> str:
    """The path and the query in ASCII; letters of other scripts as browsers send them."""
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = quote(parts.query, safe="=&%:@!$'()*+,;/?~-._")
    return f"{path}?{query}" if query else path


def _shown(text: str, longest: int = 80) -> str:
    """``text`` for a message, without what stands before an ``@``."""
    head, mark, tail = text.rpartition("@")
    shown = f"...@{tail}" if mark and "//" in head else text
    return repr(shown if len(shown) <= longest else shown[:longest] + "…")
