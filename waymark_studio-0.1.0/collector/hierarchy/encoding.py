"""Decode the bytes of a dump, even when their declared encoding is wrong.

PowerShell redirects dumps into UTF-16, old serializers write each surrogate half of an emoji as three
bytes, and tools of Chinese phones write GBK under a UTF-8 label. Each is recognized and reported.
"""

from __future__ import annotations

import codecs
import re

from collector.model.i18n import _

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # UTF-32 before UTF-16: its mark begins with the shorter one
_DECLARED = re.compile(rb"""<\?xml[^>]{0,100}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_HIGH = re.compile("[^\x00-\x7f]+")
_SAMPLE = 1000


def decode(data: bytes) -> tuple[str, list[str]]:
    """Return the text of ``data`` and a sentence for each repair made to get it. Never fails."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return _decode_marked(data[len(mark) :], name)
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError:
        return _decode_unmarked(data)


def _decode_marked(body: bytes, name: str) -> tuple[str, list[str]]:
    text = body.decode(name, errors="replace")
    repairs = []
    if name != "utf-8":
        repairs.append(_("The file was read as {encoding}, which is what its bytes are", encoding=name))
    if "\ufffd" in text and "\ufffd".encode(name) not in body:
        repairs.append(_("Bytes that are no text were replaced by \ufffd"))
    return text, repairs


def _decode_unmarked(data: bytes) -> tuple[str, list[str]]:
    declared = _DECLARED.search(data[:300])
    label = declared[1].decode("ascii").lower() if declared else "utf-8"
    if label not in ("utf-8", "utf8"):
        try:
            return data.decode(label), []
        except (LookupError, ValueError):  # an unknown or a wrong label
            pass
    halves = _join_surrogates(data)
    if halves is not None:
        return halves, [_("Characters written as two halves of three bytes each were put together")]
    chinese = _as_gbk(data)
    if chinese is not None:
        return chinese, [_("The file is labelled {encoding} but was read as GBK", encoding=label)]
    return data.decode("utf-8", errors="replace"), [
        _("Bytes that are not {encoding} were replaced by \ufffd", encoding=label)
    ]


def _join_surrogates(data: bytes) -> str | None:
    try:
        text = data.decode("utf-8", errors="surrogatepass")
    except UnicodeDecodeError:
        return None
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", errors="replace")


def _as_gbk(data: bytes) -> str | None:
    """Return ``data`` decoded as GBK if the result looks like Chinese, otherwise None."""
    try:
        text = data.decode("gbk")
    except UnicodeDecodeError:
        return None
    high = "".join(_HIGH.findall(text))[:_SAMPLE]
    chinese = sum("\u4e00" <= char <= "\u9fff" or "\u3000" <= char <= "\uffef" for char in high)
    return text if chinese * 10 >= len(high) * 9 else None
