"""Dataclasses whose methods are compiled late do as others do."""

from __future__ import annotations

import subprocess
import sys
from textwrap import dedent

import pytest

from tests.helpers.scripts import ROOT

_PROGRAM = dedent(
    """
    import copy, dataclasses, json, pickle, sys
    from collector.host.dataclass_methods import compile_methods_late

    if sys.argv[1] == "late":
        compile_methods_late()

    @dataclasses.dataclass(frozen=True, order=True)
    class Frozen:
        number: float
        word: str = "a"

    @dataclasses.dataclass(frozen=True, slots=True)
    class Slim:
        parts: tuple[object, ...] = ()

    @dataclasses.dataclass(frozen=True)
    class Heir(Frozen):
        more: list = dataclasses.field(default_factory=list, compare=False, repr=False)

        def __hash__(self):
            return 7

    @dataclasses.dataclass
    class Open:
        value: object = None

    def said(act):
        try:
            return repr(act())
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    nan = float("nan")
    one, two, heir, slim, opened = Frozen(1), Frozen(2, "b"), Heir(1), Slim((1,)), Open()
    opened.value = opened
    acts = [
        lambda: one, lambda: heir, lambda: slim, lambda: opened, lambda: one == Frozen(1),
        lambda: one != two, lambda: one == heir, lambda: Frozen(nan) == Frozen(nan),
        lambda: Open(nan) == Open(nan), lambda: one < two, lambda: two >= one, lambda: one < heir,
        lambda: one < 1, lambda: hash(one) == hash((1, "a")), lambda: hash(slim) == hash(((1,),)),
        lambda: hash(heir), lambda: hash(opened), lambda: len({one, Frozen(1)}),
        lambda: setattr(one, "word", "c"), lambda: setattr(one, "other", 1),
        lambda: setattr(heir, "word", 1), lambda: delattr(one, "word"), lambda: delattr(slim, "parts"),
        lambda: setattr(slim, "parts", 1), lambda: pickle.loads(pickle.dumps(one)),
        lambda: copy.deepcopy(slim), lambda: dataclasses.replace(two, word="d"),
        lambda: dataclasses.asdict(heir), lambda: Frozen.__eq__.__qualname__,
        lambda: Slim.__repr__.__qualname__, lambda: Frozen.__hash__ is Heir.__hash__,
        lambda: Open.__hash__, lambda: Frozen.__lt__(one, two),
    ]
    # A second time everything is compiled.
    print(json.dumps([[said(act) for act in acts] for _time in range(2)]))
    before = vars(Slim)["__eq__"].__code__.co_filename
    print(before, file=sys.stderr)
    """
)


def _said(how: str) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, how], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout, done.stderr


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="Python compiles the methods of a class together")
def test_methods_that_are_compiled_late_do_the_same_and_only_those_that_are_called_are_compiled() -> None:
    (at_once, compiled), (late, waiting) = _said("at once"), _said("late")
    assert late == at_once
    assert (compiled.strip(), waiting.strip()[-20:]) == ("<string>", "dataclass_methods.py")
