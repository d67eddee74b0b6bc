"""Phones in processes of their own: the same as one here, all at once, and gone at the end."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import numpy as np
import pytest

from collector.agents.agent import TREE
from collector.environment import phone_vector
from collector.environment.phone_environment import PhoneEnvironment
from collector.environment.phone_processes import phone_processes
from collector.environment.phone_vector import EpisodeStart, PhoneRestart, PhoneVector
from collector.model.action import Complete, OpenApp, Swipe, Tap
from collector.model.errors import UserError
from tests.helpers.training import SAMPLE, digest_of, random_actions


class _Shared:
    """Starts the phones of several vectors: what they are forked from has loaded everything once."""

    def __init__(self, processes):
        self.start, self.close = processes.start, lambda: None


@pytest.fixture(scope="module")
def processes():
    kept = phone_processes()
    yield kept
    kept.close()


@pytest.fixture
def forked(processes, monkeypatch):
    """Vectors have what starts their phones in common."""
    monkeypatch.setattr(phone_vector, "phone_processes", lambda: _Shared(processes))


def test_each_phone_is_what_the_environment_is_here(forked):
    here = PhoneEnvironment()
    episodes = [EpisodeStart(None, "dark_theme", 3), EpisodeStart(None, "", 4)]
    courses = []
    for number, episode in enumerate(episodes):
        digests = [digest_of(here.reset(episode.task, episode.variation, episode.seed))]
        digests += [digest_of(here.step(action).observation) for action in random_actions(number, 10)]
        courses.append((digests, here.state()))
    with PhoneVector(2) as phones:
        seen = phones.reset(episodes)
        assert len(phones) == 2
        found = [[digest_of(seen[number])] for number in range(2)]
        for actions in zip(random_actions(0, 10), random_actions(1, 10), strict=True):
            for number, step in phones.step(actions).items():
                found[number].append(digest_of(step.observation))
        assert list(zip(found, phones.state(), strict=True)) == courses
    here.close()


def test_pictures_are_shared_and_read_only(forked):
    with PhoneVector(1) as phones:
        picture = phones.reset([EpisodeStart()])[0].picture
        before = picture.copy()
        step = phones.step([OpenApp("com.waymark.shop")])[0]
        assert (picture != before).any()
        assert (picture == step.observation.picture).all()
        assert not picture.flags.writeable


def _interrupt(_text):
    raise KeyboardInterrupt


def test_some_phones_go_on_while_others_begin_anew(forked, monkeypatch):
    with PhoneVector(2, SAMPLE, observes=TREE) as phones:
        assert phones.reset([EpisodeStart("shop-11"), EpisodeStart("todo-01")])[0].picture is None
        ended = phones.step([Complete(), {"kind": "open_app", "name": "To-do"}])
        assert (ended[0].terminated, ended[1].terminated) == (True, False)
        assert phones.step({1: Tap(5, 900)})[1].observation.step == 2
        with pytest.raises(UserError, match="the episode is over"):
            phones.step({0: Tap(5, 900)})
        assert phones.reset({0: EpisodeStart("shop-13", "", 2)})[0].step == 0
        # What cannot be asked for is asked of no phone, and no answer is taken for that to another action.
        with pytest.raises(UserError, match="no phone 7"):
            phones.step({0: Tap(5, 900), 7: Tap(5, 900)})
        odd = phones.step({0: {"kind": "tap", "x": np.int64(6), "y": np.float32(90)}, 1: object()})
        assert (odd[0].info["action"]["x"], odd[1].info["action"]["kind"]) == (6, "invalid")
        assert phones.step([Tap(np.int64(7), 90), Tap("left", 90)])[0].info["action"]["x"] == 7
        with monkeypatch.context() as patch:
            patch.setattr(json, "loads", _interrupt)
            with pytest.raises(KeyboardInterrupt):
                phones.step([Tap(8, 90), Tap(8, 90)])
        after = phones.step([Tap(9, 90), Tap(9, 90)])
        assert [after[number].info["action"]["x"] for number in (0, 1)] == [9, 9]
        swiped = Swipe(240, 800, 240, 300, 100, ((0, 240, 800), (50, 300, 500), (100, 240, 300)))
        assert phones.step([swiped, swiped])[0].info["action"]["path"]


def test_a_wrong_reset_is_told_and_the_others_answer_all_the_same(forked):
    with PhoneVector(2, SAMPLE) as phones:
        with pytest.raises(UserError, match="There is no task nothing"):
            phones.reset([EpisodeStart("nothing"), EpisodeStart("shop-11")])
        assert phones.reset([EpisodeStart("shop-11"), EpisodeStart("shop-11")])[1].step == 0
    with pytest.raises(UserError, match="There is no dialect klingon"):
        PhoneVector(2, dialect="klingon")


def test_a_phone_that_ended_is_started_again_by_its_next_reset(forked, expected_log):
    expected_log("phone 1 was started again: it was killed by signal 9")
    with PhoneVector(2, SAMPLE) as phones:
        episodes = [EpisodeStart("shop-11"), EpisodeStart("todo-01")]
        first = [digest_of(seen) for seen in phones.reset(episodes).values()]
        for is_known in (True, False):
            os.kill(phones.pids[1], signal.SIGKILL)
            if is_known:
                with pytest.raises(UserError, match="Phone 1 of the vector ended"):
                    phones.step([Tap(5, 900), Tap(5, 900)])
            assert [digest_of(seen) for seen in phones.reset(episodes).values()] == first
            assert phones.step([Tap(5, 900), Tap(5, 900)])[1].observation.step == 1
        assert phones.restarts == 2 * [PhoneRestart(1, "it was killed by signal 9")]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="phones are forked on Linux alone")
def test_phones_live_on_without_the_process_that_forked_them_and_share_its_memory(forked, expected_log):
    expected_log("phone 0 was started again: nobody knows how")
    with PhoneVector(2, observes=TREE) as phones:
        phones.reset([EpisodeStart(), EpisodeStart()])
        own, whole = (sum(_kilobytes(pid, name) for pid in phones.pids) for name in ("Private_Dirty", "Rss"))
        assert own < 0.6 * whole
        nursery = int(Path(f"/proc/{phones.pids[0]}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(nursery, signal.SIGKILL)
        assert phones.step([Tap(5, 900), Tap(5, 900)])[1].observation.step == 1
        os.kill(phones.pids[0], signal.SIGKILL)
        assert phones.reset([EpisodeStart(), EpisodeStart()])[0].step == 0
        assert [restart.number for restart in phones.restarts] == [0]


def _kilobytes(pid: int, name: str) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def test_phones_are_programs_of_their_own_where_none_can_be_forked(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with PhoneVector(1) as phones:
        assert phones.reset([EpisodeStart()])[0].step == 0
        os.kill(phones.pids[0], signal.SIGKILL)
        with pytest.raises(UserError, match="it was killed by signal 9"):
            phones.step([Tap(5, 900)])


def test_a_phone_that_ends_is_told_and_nothing_stays():
    phones = PhoneVector(2)
    files = list(phones.files)
    assert all(path.exists() for path in files)
    phones.reset([EpisodeStart(), EpisodeStart()])
    os.kill(phones.pids[1], signal.SIGKILL)
    with pytest.raises(UserError, match="Phone 1 of the vector ended: it was killed by signal 9"):
        phones.step([Tap(5, 900), Tap(5, 900)])
    with pytest.raises(UserError, match="Reset it"):
        phones.step([Tap(5, 900), Tap(5, 900)])
    pids = phones.pids
    phones.close()
    phones.close()
    assert not any(path.exists() for path in files)
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
