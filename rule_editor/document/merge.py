"""Three-way merge of rule files, entry by entry, on the text alone so that broken files merge too."""

from __future__ import annotations

import re
from dataclasses import dataclass

from collector.located_yaml.source import entry_spans
from rule_editor.document import lines

_ID = re.compile(r"""(?:^|[\s{,-])id\s*:\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s#,}]+))""")
_KEY = re.compile(r"""(?:"([^"\n]*)"|'([^'\n]*)'|([^:\n]+?))\s*:""")
_HEAD = ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Both sides changed one rule; an empty text means that side deleted it.

    ``rule_id`` is empty for what stands before the first rule.
    """

    rule_id: str
    base: str
    ours: str
    theirs: str
    key: str = ""
    after: str = ""
    """Key of the entry that theirs stands behind, for when ours is deleted."""

    def settled(self, text: str) -> str:
        """``text`` with theirs in place of ours."""
        parts = _parts(text)
        if self.key in parts:
            parts[self.key] = self.theirs
            return _joined([part for part in parts.values() if part])
        order = list(parts)
        at = order.index(self.after) + 1 if self.after in parts else len(order)
        texts = list(parts.values())
        return _joined([*texts[:at], self.theirs, *texts[at:]])


@dataclass(frozen=True, slots=True)
class Merge:
    """``taken`` are ids of rules taken in from outside; conflicts keep ours until they are settled."""

    text: str
    taken: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


def merge(base: str, ours: str, theirs: str) -> Merge:
    """``ours`` with what ``theirs`` changed since ``base``. Nothing of ours is lost."""
    if theirs in (base, ours):
        return Merge(ours)
    old, mine, their = _parts(base), _parts(ours), _parts(theirs)
    changed = [key for key in {**old, **their} if not _alike(their.get(key), old.get(key))]
    if ours == base:
        return Merge(theirs, tuple(_name(key) for key in changed if key))
    result = {key: their.get(key, own) if own == old.get(key) else own for key, own in mine.items()}
    conflicts: list[Conflict] = []
    taken: list[str] = []
    before = _predecessors(their)
    for key in changed:
        was, own, other = old.get(key, ""), mine.get(key, ""), their.get(key, "")
        if _alike(own, other):
            continue
        if not _alike(own, was):
            conflicts.append(Conflict(_name(key), was, own, other, key, before.get(key, _HEAD)))
            continue
        taken.append(_name(key))
        if other:
            result[key] = other
        else:
            result.pop(key, None)
    order = _order(list(old), list(mine), list(their))
    texts = [result[key] for key in order if key in result]
    return Merge(_joined(texts), tuple(one for one in taken if one), tuple(conflicts))


def _alike(one: str | None, other: str | None) -> bool:
    """The same but for the blank lines behind, which belong to no rule."""
    return (one is None) == (other is None) and (one or "").rstrip() == (other or "").rstrip()


def _order(old: list[str], mine: list[str], their: list[str]) -> list[str]:
    """Theirs where we left the order alone, else ours; what only the other side has, behind its neighbour."""
    shared = set(old) & set(mine)
    ours_kept = [key for key in old if key in shared] == [key for key in mine if key in shared]
    main, other = (their, mine) if ours_kept else (mine, their)
    order = list(main)
    for at, key in enumerate(other):
        if key not in order:
            behind = next((one for one in reversed(other[:at]) if one in order), None)
            order.insert(order.index(behind) + 1 if behind is not None else 0, key)
    return order


def _parts(text: str) -> dict[str, str]:
    """What stands before the first entry, then each entry with all up to the next one, by a unique key."""
    _listed, spans = entry_spans(text)
    starts = [start for start, _end in spans]
    tops = [lines.lead_start(text, start, floor) for floor, start in zip([0, *starts], starts, strict=False)]
    parts = {_HEAD: text[: tops[0]] if tops else text}
    for (start, end), top, stop in zip(spans, tops, [*tops[1:], len(text)], strict=False):
        part = text[start:end]
        found = (_KEY if part[:1] not in (" ", "-", "\t") else _ID).search(part)
        name = next((group for group in found.groups() if group is not None), "") if found else ""
        count = 0
        while (key := f"{name}\n{count}") in parts:
            count += 1
        parts[key] = text[top:stop]
    return parts


def _predecessors(parts: dict[str, str]) -> dict[str, str]:
    keys = list(parts)
    return dict(zip(keys[1:], keys, strict=False))


def _name(key: str) -> str:
    return key.partition("\n")[0]


def _joined(texts: list[str]) -> str:
    whole = [text for text in texts if text]
    for at, one in enumerate(whole[:-1]):
        if one and not one.endswith(("\n", "\ufeff")):
            whole[at] = one + ("\r\n" if "\r\n" in one else "\n")
    return "".join(whole)
