"""Property tests draw a part of their examples in `make test`, and all of them in `make fuzz`."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.examples import take_few


def test_a_test_draws_a_tenth_of_many_examples_and_all_of_a_few(request):
    drawn = {"many": 0, "few": 0, "default": 0}

    def counting(name):
        @given(st.integers())
        def count(_number):
            drawn[name] += 1

        return count

    many, few, default = settings(max_examples=80)(counting("many")), counting("few"), counting("default")
    settings(max_examples=4)(few)
    tests = (many, few, default)
    take_few([pytest.Function.from_parent(request.node.parent, name="drawn", callobj=test) for test in tests])
    for test in tests:
        test()
    assert drawn == {"many": 8, "few": 4, "default": 5}
