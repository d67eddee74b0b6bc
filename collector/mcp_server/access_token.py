"""The secret that clients over HTTP send: the loopback interface is open to all accounts of a computer."""

from __future__ import annotations

import hmac
import re
import secrets
from pathlib import Path

from mcp.server.auth.provider import AccessToken

from collector.host.private_files import is_open_to_others, make_private_file
from collector.model.errors import UserError
from collector.model.i18n import _

_USABLE = re.compile(r"[A-Za-z0-9._~+/=-]{16,512}")
_LARGEST = 4096


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(32)


def token_in(path: Path) -> str:
    """The token of a file; one that is not there, or empty, gets a new one. Raises UserError."""
    what = _("The token in {path} cannot be used", path=path)
    try:
        make_private_file(path)
        if is_open_to_others(path):
            to_do = _("Type: chmod 600 {path}", path=path)
            raise UserError(what, _("other accounts may read the file"), to_do)
        with path.open("rb") as file:
            text = file.read(_LARGEST).decode("utf-8", "replace").strip()
        if not text:
            text = new_token()
            path.write_text(text + "\n", encoding="ascii", newline="\n")
    except OSError as error:
        raise UserError(what, error.strerror or str(error)) from error
    if not _USABLE.fullmatch(text):
        why = _("it takes 16 to 512 letters, digits and . _ ~ + / = -")
        raise UserError(what, why, _("Name another file, or one that is not there yet"))
    return text


class OneToken:
    """Accepts one token: a ``TokenVerifier`` of the SDK."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    async def verify_token(self, token: str) -> AccessToken | None:
        """Who sent the token; None for any other token."""
        if not hmac.compare_digest(token.encode("utf-8", "surrogateescape"), self._token):
            return None
        return AccessToken(token=token, client_id="waymark", scopes=[])
