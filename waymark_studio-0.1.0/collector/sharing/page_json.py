"""JSON inside a page: no text of it can end the script block that holds it, or begin another."""

from __future__ import annotations

import base64
import json
import re
import zlib

LONGEST = 4000
"""Characters of a text that a page holds; a longer one ends in an ellipsis."""
_RAW_DEFLATE = -15
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def cut(text: str, longest: int = LONGEST) -> str:
    """The text, shortened when it is longer than anybody reads."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def json_for_script(value: object) -> str:
    """JSON in which no character has a meaning for a reader of HTML or of lines of a script."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def packed(value: object) -> str:
    """JSON, deflated and in base64, which a page unpacks when it is needed."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    packer = zlib.compressobj(9, zlib.DEFLATED, _RAW_DEFLATE)
    return base64.b64encode(packer.compress(text.encode()) + packer.flush()).decode("ascii")
