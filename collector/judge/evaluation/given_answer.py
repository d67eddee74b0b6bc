"""Compare the answer of an agent with the expected one, and say what that makes of the task."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

from collector.model.expected_answer import ExpectedAnswer
from collector.rules.grammar.patterns import compile_pattern

_NUMBER = re.compile(r"(?<![\w.])[-+\u2212]?(?:(?:\d{1,3}(?:[ ,']\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?!\.?\d)")
"""Groups of thousands may stand apart; NFKC has made every narrow space a plain one."""
_CJK = "\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_CJK_SPACE = re.compile(rf"(?<=[{_CJK}]) | (?=[{_CJK}])")
"""A space beside a Chinese or Japanese letter, which separates no words."""
_SEPARATORS = re.compile(r"[ ,']")


def done_with_answer(done: bool | None, answered: bool | None, *, has_rules: bool) -> bool | None:
    """Whether a task that expects an answer is done; None when people have to say.

    ``done`` is what its rules say, ``answered`` whether the expected answer was given; both can be unknown.
    Without rules the answer decides alone.
    """
    if done is False:
        return False
    return done if answered and has_rules else answered


def answer_matches(answer: str, expected: ExpectedAnswer) -> bool | None:
    """Whether an answer is the expected one; None when no rule can say, so that people judge it.

    Width, case and the number of spaces do not count, nor do spaces beside Chinese and Japanese letters,
    except for ``regex``. Of ``number`` the answer must name that number and no other.
    """
    texts = [text for text in expected.texts if text.strip()]
    if not texts:
        return None
    said = plain_answer(answer)
    match expected.rule:
        case "exact":
            return said == plain_answer(texts[0])
        case "any of":
            return said in map(plain_answer, texts)
        case "contains":
            return all(plain_answer(text) in said for text in texts)
        case "number":
            return _same_number(answer, texts[0])
        case "regex":
            return _found(texts[0], answer)
        case _:
            return None


def plain_answer(text: str) -> str:
    """A text without what does not count when answers are compared: width, case, spaces."""
    return _CJK_SPACE.sub("", " ".join(unicodedata.normalize("NFKC", text).split())).casefold()


def _same_number(answer: str, expected: str) -> bool | None:
    wanted = _numbers(expected)
    if len(wanted) != 1:
        return None
    return _numbers(answer) == wanted


def _numbers(text: str) -> set[Decimal]:
    found = _NUMBER.findall(unicodedata.normalize("NFKC", text))
    return {Decimal(_SEPARATORS.sub("", number).replace("\u2212", "-")) for number in found}


def _found(pattern: str, answer: str) -> bool | None:
    try:
        return compile_pattern(pattern).found_in(answer)
    except re.error:
        return None
