"""Patterns find what ``re`` finds, and always come to an end."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.hierarchy.parse import parse_tree
from collector.rules.conditions.text_matches import TextMatches
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.patterns import LONGEST, PatternError, compile_pattern
from collector.rules.grammar.regex_automaton import NoAutomatonError, RegexAutomaton
from collector.rules.grammar.regex_syntax import parse_regex
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.dumps import hierarchy, node

VIEW = StateView(parse_tree(hierarchy(node(text="aa")).encode()))

ENDLESS = (
    r"(a+)+$", r"(a|a)*$", r"(a|aa)+$", r"(.*a){20}$", r"(a*)*b", r"^(\w+\s?)*$", r"(x+x+)+y",
    r".*.*.*.*=.*!", r"a*a*a*a*a*a*a*a*b", r"(?:(?:a?){12}){20}b", r"([a-z]+)*\d",
    r"(?:(1)|\d)*$", r"(?i)((a)|A)*$", r"(\d|\d)*$", r"(a|\x61)*$",
)  # fmt: skip
ATOMS = st.sampled_from(("a", "b", r"\w", r"[^a]", ".", r"\b", "^", "$", r"\d", "A", " ", "(?i:B)", "[ab-d]"))


def _joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    repeated = st.builds(
        lambda body, times: f"(?:{body}){times}",
        parts,
        st.sampled_from(("*", "+", "?", "*?", "+?", "{2}", "{1,3}", "{0,2}?", "{2,}")),
    )
    both = st.builds(lambda left, other: left + other, parts, parts)
    either = st.builds(lambda left, other: f"({left}|{other})", parts, parts)
    return st.one_of(repeated, both, either)


PATTERNS = st.recursive(ATOMS, _joined, max_leaves=6)


@settings(max_examples=400)
@given(PATTERNS, st.text("abA1 \n", max_size=7), st.sampled_from(("", "(?i)", "(?s)", "(?m)", "(?x)")))
def test_the_automaton_finds_what_re_finds(pattern: str, text: str, flags: str) -> None:
    pattern = flags + pattern
    matches = re.search(pattern, text) is not None
    assert RegexAutomaton(parse_regex(re.compile(pattern))).found_in(text) == matches
    assert compile_pattern(pattern).found_in(text) == matches


SYNTAX = (
    r"[]a]+b", r"[^]a]b", r"[\]x]+", r"[a-]x", r"\x41\u0042", r"\N{LATIN SMALL LETTER A}b", r"\101\0?",
    r"a{", r"a{}", r"a{,2}b", r"a{,}b", r"(?P<name>a|b)+", r"(?#a comment)a(?#another)+b",
    r"(?x) a  b # c", "(?x:a b)c",
    r"(?i:A(?-i:b))c", r"(?ax:\w +)é", r"(a|b|)+c", r"(|a)b", r"(?:)*a", r"\(a\)\\", r"a\ b", r"(a|\d)*b",
    r"^$|^ab?$",
)  # fmt: skip


@pytest.mark.parametrize("pattern", SYNTAX)
def test_every_way_of_writing_is_read_as_re_reads_it(pattern: str) -> None:
    automaton = RegexAutomaton(parse_regex(re.compile(pattern)))
    texts = (
        "", "a", "b", "ab", "aab", "aaaab", "]b", "]]x", "-x", "AB", "A\0", "abc", "aBc", "a{", "a{}",
        "(a)\\", "a b", "1a2b", "ABc", "é", "aé", "xé", "a]b", "c]",
    )  # fmt: skip
    for text in texts:
        assert automaton.found_in(text) == (re.search(pattern, text) is not None), text


@pytest.mark.parametrize(
    "pattern", [r"(a)\1", r"(?=a)b", r"(?<!a)b", r"(?>a+)b", r"a++b", r"(a)?(?(1)b|c)", r"(?P<x>a)(?P=x)"]
)
def test_what_only_re_can_match_has_no_automaton_and_still_works(pattern: str) -> None:
    with pytest.raises(NoAutomatonError):
        RegexAutomaton(parse_regex(re.compile(pattern)))
    for text in ("aa", "ab", "b", "c", "xaab"):
        assert compile_pattern(pattern).found_in(text) == (re.search(pattern, text) is not None)


@pytest.mark.parametrize("pattern", ENDLESS)
@pytest.mark.timeout(20)
def test_patterns_that_would_take_for_ever_do_not(pattern: str) -> None:
    for text in ("a" * 50 + "!", "a" * LONGEST, "x" * 60, "ab " * 500 + "-"):
        compile_pattern(pattern).found_in(text)


@pytest.mark.parametrize("pattern", [r"((a+)\2)+$", r"((a{1,20}){1,20}){1,20}!", r"(?=(a+)+$)b"])
def test_what_has_no_automaton_is_refused_when_it_could_be_endless(pattern: str) -> None:
    with pytest.raises(PatternError, match="for ever"):
        compile_pattern(pattern)


def test_an_endless_pattern_is_told_and_holds_nowhere() -> None:
    text = "- {id: r, conditions: {all: [{type: text_matches, pattern: '((a+)\\2)+$'}]}, actions: []}"
    (finding,) = [diagnostic for diagnostic in read_rules(text).diagnostics if diagnostic.code == "W108"]
    assert "for ever" in finding.why
    proof = prove(TextMatches(pattern=r"((a+)\2)+$"), VIEW)
    assert (proof.holds, proof.note) == (False, "unreadable")


@pytest.mark.parametrize(
    "pattern", ["(", "[", "*", r"(?P<a>x)(?P<a>y)", "a{5,1}", "\\", "(" * 5000 + ")" * 5000]
)
def test_what_re_cannot_read_is_unreadable(pattern: str) -> None:
    with pytest.raises(re.error):
        compile_pattern(pattern)
    assert prove(TextMatches(pattern=pattern), VIEW).note == "unreadable"


def test_ordinary_patterns_are_left_to_re() -> None:
    for pattern in (r"\d+ results", "稻香", r"^Total: \$\d+\.\d\d$", "(yes|no)", r"(\d{1,3},)?\d{3}"):
        assert compile_pattern(pattern).automaton is None
    assert compile_pattern(r"(?=.*a)(?=.*b).*c").found_in("b a c")
