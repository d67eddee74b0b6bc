"""Three-way merge of rules, libraries and tasks by entries; by the text alone, so broken files merge too."""

from __future__ import annotations

from dataclasses import dataclass

from collector.located_yaml.entry_spans import (
    entry_spans,
    is_list_without_entries,
    with_open_list,
    written_id,
)
from collector.located_yaml.yaml_patch import lines

_HEAD = ""


@dataclass(frozen=True, slots=True)
class MergeConflict:
    """A rule that both sides changed; the text of a side that deleted it is empty.

    ``rule_id`` is empty for the part before the first rule.
    """

    rule_id: str
    base: str
    ours: str
    theirs: str
    key: str = ""
    after: str = ""
    """Key of the entry before theirs, used when ours is deleted."""

    def resolved(self, text: str) -> str:
        """``text`` with theirs instead of ours."""
        parts = _parts(text)
        if self.key in parts:
            parts[self.key] = self.theirs
            return _joined([part for part in parts.values() if part])
        order = list(parts)
        at = order.index(self.after) + 1 if self.after in parts else len(order)
        texts = list(parts.values())
        return _joined([*texts[:at], self.theirs, *texts[at:]])


@dataclass(frozen=True, slots=True)
class MergeResult:
    """The merged text, which has ours for each conflict; ``taken`` are ids of rules taken from theirs."""

    text: str
    taken: tuple[str, ...] = ()
    conflicts: tuple[MergeConflict, ...] = ()


def merge(base: str, ours: str, theirs: str) -> MergeResult:
    """``ours`` with the changes of ``theirs`` since ``base``. Nothing of ours is lost."""
    if theirs in (base, ours):
        return MergeResult(ours)
    if ours != base:
        base, ours, theirs = map(with_open_list, (base, ours, theirs))
    old, mine, their = _parts(base), _parts(ours), _parts(theirs)
    changed = [key for key in {**old, **their} if not _alike(their.get(key), old.get(key))]
    if ours == base:
        return MergeResult(theirs, tuple(_name(key) for key in changed if key))
    result = {key: their.get(key, own) if own == old.get(key) else own for key, own in mine.items()}
    conflicts: list[MergeConflict] = []
    taken: list[str] = []
    before = _predecessors(their)
    for key in changed:
        base_text, own_text, their_text = old.get(key, ""), mine.get(key, ""), their.get(key, "")
        if _alike(own_text, their_text):
            continue
        if not _alike(own_text, base_text):
            after = before.get(key, _HEAD)
            conflicts.append(MergeConflict(_name(key), base_text, own_text, their_text, key, after))
            continue
        taken.append(_name(key))
        if their_text:
            result[key] = their_text
        else:
            result.pop(key, None)
    order = _order(list(old), list(mine), list(their))
    texts = [result[key] for key in order if key in result]
    return MergeResult(_joined(texts), tuple(filter(None, taken)), tuple(conflicts))


def _alike(first: str | None, second: str | None) -> bool:
    """Whether two texts differ in nothing but blank lines at their end, which belong to no rule."""
    return (first is None) == (second is None) and (first or "").rstrip() == (second or "").rstrip()


def _order(old: list[str], mine: list[str], their: list[str]) -> list[str]:
    """Their order when ours did not change, else ours; entries of the other side follow their neighbour."""
    shared = set(old) & set(mine)
    order_unchanged = [key for key in old if key in shared] == [key for key in mine if key in shared]
    main, other = (their, mine) if order_unchanged else (mine, their)
    order = list(main)
    for at, key in enumerate(other):
        if key not in order:
            neighbour = next((before for before in reversed(other[:at]) if before in order), None)
            order.insert(order.index(neighbour) + 1 if neighbour is not None else 0, key)
    return order


def _parts(text: str) -> dict[str, str]:
    """The text before the first entry, then each entry up to the next one, by a unique key."""
    if is_list_without_entries(text):
        return {_HEAD: text}
    _listed, spans = entry_spans(text, with_tasks=True)
    starts = [start for start, _end in spans]
    tops = [lines.lead_start(text, start, floor) for floor, start in zip([0, *starts], starts, strict=False)]
    parts = {_HEAD: text[: tops[0]] if tops else text}
    for (start, end), top, stop in zip(spans, tops, [*tops[1:], len(text)], strict=False):
        part = text[start:end]
        name = written_id(part)
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
    for at, text in enumerate(whole[:-1]):
        if not text.endswith(("\n", "\ufeff")):
            whole[at] = text + ("\r\n" if "\r\n" in text else "\n")
    return "".join(whole)
