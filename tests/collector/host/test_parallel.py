"""Many things are done in several processes: in order, in the language in use, whatever ends one of them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from collector.host import parallel
from collector.model import i18n
from collector.model.errors import UserError
from collector.model.resources import asset
from tests.helpers.parallel_work import said_by


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(parallel, "usable_cores", lambda: 2)
    monkeypatch.setattr(parallel, "WORTH_STARTING", 4)
    monkeypatch.setattr(parallel, "_BATCH", 2)
    yield
    i18n.use_language(i18n.SOURCE_LANGUAGE, asset("translations"))


def here(number: int) -> tuple[int, str, int]:
    return number, "here", os.getpid()


def test_the_results_come_in_order_and_in_the_language_and_the_error_in_its_place() -> None:
    i18n.use_language("zh_CN", asset("translations"))
    results = parallel.map_in_order(said_by, ("Rules of the project",), range(20, 50), here)
    said = [next(results) for _number in range(20, 41)]
    assert [number for number, _word, _process in said] == list(range(20, 41))
    assert (
        {word for _number, word, _process in said}
        == {i18n._("Rules of the project")}
        != {"Rules of the project"}
    )
    assert os.getpid() not in {process for _number, _word, process in said}
    with pytest.raises(UserError) as raised:
        next(results)
    assert (raised.value.what, raised.value.why, raised.value.to_do) == ("41", "too many", "Say less")


def test_what_a_process_leaves_that_ends_suddenly_is_done_here() -> None:
    said = list(parallel.map_in_order(said_by, ("dies",), range(30), here))
    assert [number for number, _word, _process in said] == list(range(30))
    assert said[13] == here(13)


def test_a_few_things_and_one_core_need_no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [parallel.pays_off(count) for count in (0, 3, 4)] == [False, False, True]
    monkeypatch.setattr(parallel, "usable_cores", lambda: 1)
    assert not parallel.pays_off(10_000)
