"""A key or a password that an agent uses, and that no file, log or message may ever hold."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from urllib.parse import quote

HIDDEN = "[key]"
"""What stands in the place of a secret in answers and messages."""
_SHORTEST = 6
"""A shorter one, such as the ``none`` of a local server, is no secret, and may be a word of any answer."""


@dataclass(frozen=True, slots=True)
class SecretValue:
    """A secret. Its text form never shows it."""

    value: str = field(repr=False)

    def mask(self, text: str) -> str:
        """``text`` with every form of the secret replaced."""
        if len(self.value) < _SHORTEST:
            return text
        for form in self._forms():
            text = text.replace(form, HIDDEN)
        return text

    def _forms(self) -> set[str]:
        data = self.value.encode()
        return {
            self.value, quote(self.value, safe=""), json.dumps(self.value)[1:-1],
            base64.b64encode(data).decode().rstrip("="), base64.urlsafe_b64encode(data).decode().rstrip("="),
        }  # fmt: skip
