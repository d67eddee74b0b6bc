"""Read XML that a strict reader refuses, and report every repair.

Real dumps have status lines around them, end in the middle, hold raw ``&`` and quotes in texts, or halves
of emoji as numeric references. Every readable node is kept, and every loss is reported.
"""

from __future__ import annotations

import re
from collections import Counter

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.tree_builder import MAX_ATTRIBUTES, MAX_VALUE, TreeBuilder
from collector.model.i18n import N_, _, ngettext

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_START = re.compile(
    r"<\?xml|<hierarchy\b|<node\b|<AppiumAUT\b|<XCUIElementType\w|<(?:android|androidx|com|io|org)\.\w"
)
_ANY_START = re.compile(r"<[A-Za-z_][\w:.$-]{0,200}(?=[\s/>])")
_TAG = re.compile(r"<([A-Za-z_][\w:.$-]{0,300})")
_CLOSE = re.compile(r"</\s{0,20}([A-Za-z_][\w:.$-]{0,300})\s{0,200}>")
_ATTRIBUTE = re.compile(r"""\s{0,2000}([A-Za-z_][\w:.-]{0,100})\s{0,200}=\s{0,200}(["'])""")
_TAG_END = re.compile(r"\s{0,2000}(/?)>")
_AFTER_VALUE = re.compile(r"""\s{0,2000}(?:[/?]?>|[A-Za-z_][\w:.-]{0,100}\s{0,200}=\s{0,200}["'])""")
_OPENS = re.compile(r"\s[A-Za-z_][\w:.-]*=\Z")
_RESUME = re.compile(r"""[\s"'](?=[A-Za-z_][\w:.-]{0,100}\s{0,200}=\s{0,200}["'])|/?>|<(?=/?[A-Za-z])""")
_REFERENCE = re.compile(r"&(?:#x([0-9a-fA-F]{1,8})|#([0-9]{1,8})|(amp|lt|gt|quot|apos));|&")
_SUBSET_END = re.compile(r"\]\s{0,200}>")
_BREAKS = str.maketrans("\t\n\r", "   ")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_EXCERPT = 300
_END = "</hierarchy>"
_BUDGET = 4_000_000
"""Budget, in characters, for finding the real end of values with stray quotes; bounds hostile input."""
_MAX_RAW_VALUE = 16 * MAX_VALUE
"""Characters of a value that are read; a reference has a dozen for one."""
_MAX_REPAIRS = 100_000
"""A dump that needs more is refused: none was ever a hierarchy."""

_SENTENCES = {
    "text": N_("Text between the nodes was left out ({count} times)"),
    "ampersand": N_("An unescaped & in a value was kept ({count} times)"),
    "angle": N_("An unescaped < in a value was kept ({count} times)"),
    "quote": N_("An unescaped quote inside a value was kept ({count} times)"),
    "reference": N_("References to characters XML forbids were left out ({count} times)"),
    "pair": N_("Characters given as two halves were put together ({count} times)"),
    "twice": N_("An attribute was given twice; the first value was kept ({count} times)"),
    "junk": N_("Something that is no attribute was left out of a node ({count} times)"),
    "unclosed": N_("A tag was not closed before the next began ({count} times)"),
    "mismatch": N_("A closing tag matched no open node ({count} times)"),
    "implied": N_("A node was not closed before its parent was ({count} times)"),
    "doctype": N_("A document type declaration was left out and nothing in it was read ({count} times)"),
}


class LenientReader:
    """Read ``text`` in one pass into a :class:`TreeBuilder`. Takes linear time and never recurses.

    Raises HierarchyError for too many nodes or repairs.
    """

    def __init__(self, text: str, builder: TreeBuilder) -> None:
        cleaned, forbidden = _ILLEGAL.subn("", text)
        self._text = cleaned
        self._forbidden = forbidden
        self._builder = builder
        self._counts: Counter[str] = Counter()
        self._repairs_left = _MAX_REPAIRS
        self._open: list[str] = []
        self._open_names: Counter[str] = Counter()
        self._budget = _BUDGET
        self._cut = False
        self._subsets_end = True
        self._before = ""
        self._after = ""

    def read(self) -> list[str]:
        """Read everything; return a sentence for each kind of repair."""
        text = self._text
        first = _START.search(text) or _ANY_START.search(text)
        if first is None:
            return []
        self._before = text[: first.start()].strip()
        position = first.start()
        while True:
            tag = text.find("<", position)
            self._between(text[position : tag if tag >= 0 else len(text)])
            if tag < 0:
                break
            position = self._markup(tag)
        self._cut = self._cut or bool(self._open)
        return self._sentences()

    def _note(self, repair: str) -> None:
        """Count a repair. Raises HierarchyError when there are too many."""
        self._counts[repair] += 1
        self._spend()

    def _spend(self) -> None:
        self._repairs_left -= 1
        if self._repairs_left < 0:
            raise HierarchyError(
                _("The dump is too damaged to read"),
                _("It needs more than {limit} repairs", limit=f"{_MAX_REPAIRS:,}"),
                _("Dump the UI tree again, or leave the file out"),
            )

    def _between(self, between: str) -> None:
        if between and not between.isspace():
            if self._open:
                self._note("text")
            elif len(self._after) < _EXCERPT:
                self._after = f"{self._after} {between.strip()}".strip()

    def _markup(self, at: int) -> int:
        """Handle the markup that begins at ``at``; return where to continue."""
        text = self._text
        following = text[at + 1 : at + 2]
        if following == "/":
            return self._close(at)
        if following == "?":
            return self._skip(at, "?>")
        if following == "!":
            return self._declaration(at)
        match = _TAG.match(text, at)
        if match is None or (not self._open and self._builder.nodes and not _START.match(text, at)):
            # After the hierarchy, `<init>` in a log line is not an element.
            self._between("<")
            return at + 1
        return self._element(match)

    def _skip(self, at: int, ending: str) -> int:
        end = self._text.find(ending, at)
        if end < 0:
            self._cut = True
            return len(self._text)
        return end + len(ending)

    def _declaration(self, at: int) -> int:
        text = self._text
        if text.startswith("<!--", at):
            return self._skip(at, "-->")
        if text.startswith("<![CDATA[", at):
            return self._skip(at, "]]>")
        self._note("doctype")
        end = text.find(">", at)
        subset = text.find("[", at, end) if end >= 0 and self._subsets_end else -1
        if subset >= 0:
            closing = _SUBSET_END.search(text, subset)
            if closing is not None:
                return closing.end()
            self._subsets_end = False  # nor does a later one
        return self._skip(at, ">")

    def _close(self, at: int) -> int:
        match = _CLOSE.match(self._text, at)
        if match is None:
            self._cut = self._text.find(">", at) < 0
            if not self._cut:
                self._note("mismatch")
            return self._skip(at, ">")
        name = match[1]
        if name not in self._open[-1:]:
            if not self._open_names[name]:
                self._note("mismatch")
                return match.end()
            while self._open[-1] != name:
                self._note("implied")
                self._pop()
        self._pop()
        return match.end()

    def _pop(self) -> None:
        name = self._open.pop()
        self._open_names[name] -= 1
        self._builder.end(name)

    def _element(self, match: re.Match[str]) -> int:
        tag = match[1]
        attributes: dict[str, str] = {}
        position = match.end()
        while True:
            end = _TAG_END.match(self._text, position)
            if end is not None:
                break
            attribute = _ATTRIBUTE.match(self._text, position)
            position = self._attribute(attribute, attributes) if attribute else self._junk(position)
            if position < 0:
                self._cut = True
                return len(self._text)
            if self._text[position : position + 1] == "<":
                self._note("unclosed")
                break
        self._builder.start(tag, attributes)
        self._open.append(tag)
        self._open_names[tag] += 1
        if end is None:
            return position
        if end[1]:
            self._pop()
        return end.end()

    def _attribute(self, match: re.Match[str], attributes: dict[str, str]) -> int:
        """Read one value; return the position after it, or -1 when the text ends inside it."""
        name, quote = match.groups()
        end = self._value_end(match.end(), quote)
        if end < 0:
            return -1
        if name in attributes:
            self._note("twice")
        else:
            attributes[name] = self._value(self._text[match.end() : min(end, match.end() + _MAX_RAW_VALUE)])
            if len(attributes) > MAX_ATTRIBUTES:  # the builder leaves it out
                self._spend()
        return end + 1

    def _value_end(self, start: int, quote: str) -> int:
        text = self._text
        first = end = text.find(quote, start)
        while end >= 0 and _AFTER_VALUE.match(text, end + 1) is None:
            following = text.find(quote, end + 1)
            self._budget -= (following if following >= 0 else len(text)) - end
            if following < 0 or self._budget < 0 or _OPENS.search(text, max(0, following - 100), following):
                # There is no better end: the first quote closes the value, the rest is junk or cut off.
                return first if text.find(">", first) >= 0 else -1
            end = following
        if end != first:
            self._note("quote")
        return end

    def _junk(self, position: int) -> int:
        match = _RESUME.search(self._text, position)
        if match is None:
            return -1
        self._note("junk")
        return match.start() if match[0] not in ('"', "'") else match.end()

    def _value(self, raw: str) -> str:
        raw = raw.replace("\r\n", "\n").translate(_BREAKS)
        if "<" in raw:
            self._note("angle")
        if "&" not in raw:
            return raw
        value = _REFERENCE.sub(self._dereference, raw)
        if any("\ud800" <= char <= "\udfff" for char in value):
            joined = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", errors="ignore")
            self._note("pair" if joined else "reference")
            return joined
        return value

    def _dereference(self, match: re.Match[str]) -> str:
        hexadecimal, decimal, name = match.groups()
        if name:
            return _NAMED[name]
        if hexadecimal is None and decimal is None:
            self._note("ampersand")
            return "&"
        code = int(hexadecimal, 16) if hexadecimal else int(decimal)
        if 0xD800 <= code <= 0xDFFF:
            return chr(code)
        if code > 0x10FFFF or _ILLEGAL.match(chr(code)):
            self._note("reference")
            return ""
        return chr(code)

    def _sentences(self) -> list[str]:
        sentences = []
        if self._forbidden:
            sentences.append(_("Characters XML forbids were left out ({count} times)", count=self._forbidden))
        if self._before:
            sentences.append(_left_out_before(self._before))
        sentences += [_(_SENTENCES[key], count=count) for key, count in self._counts.items()]
        if self._after:
            sentences.append(_left_out_after(self._after))
        if self._cut:
            count = len(self._builder.nodes)
            sentences.append(
                ngettext(
                    "The dump ends in the middle; the {count} node before the cut was kept",
                    "The dump ends in the middle; the {count} nodes before the cut were kept",
                    count,
                )
            )
        if not sentences and self._builder.documents == 0:
            sentences.append(_("The dump is a fragment without its hierarchy element"))
        return sentences


def without_status_lines(text: str) -> tuple[str, list[str]]:
    """Return the dump without the text tools print around it, and a sentence for each side removed.

    Only plain text is removed; anything with markup is left for :class:`LenientReader`.
    """
    start, end = max(0, text.find("<")), text.rfind(_END)
    end = end + len(_END) if end >= 0 else len(text)
    before, after = text[:start].strip(), text[end:].strip()
    if "<" in after:
        return text, []
    removed = [_left_out_before(before)] if before else []
    return text[start:end], removed + ([_left_out_after(after)] if after else [])


def _left_out_before(text: str) -> str:
    return _("Text before the tree was left out: {text}", text=_excerpt(text))


def _left_out_after(text: str) -> str:
    return _("Text after the tree was left out: {text}", text=_excerpt(text))


def _excerpt(text: str) -> str:
    line = " ".join(text[:_EXCERPT].split())
    return line if len(line) <= 80 else f"{line[:77]}..."
