"""Screens with equal dumps are read once, whichever trajectories show them, and only so many are kept."""

from __future__ import annotations

from collector.rules.columns.corpus import Corpus
from collector.rules.columns.known_screens import KnownScreens
from tests.helpers.dumps import hierarchy, node
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen

HOME = hierarchy(node(text="Buy")).encode()
CART = hierarchy(node(text="Cart")).encode()


def test_views_of_equal_dumps_share_the_tree_and_what_was_found() -> None:
    screens = KnownScreens()
    first = Corpus([MemoryTrajectory("a", [RecordedScreen(HOME), RecordedScreen(CART)])], screens=screens)
    second = Corpus([MemoryTrajectory("b", [RecordedScreen(CART), RecordedScreen(HOME)])], screens=screens)
    found = first.view(0).find("text='Buy'")
    assert second.view(1).tree is first.view(0).tree
    assert second.view(1).find("text='Buy'") is found
    assert second.view(0).find("text='Buy'") == ()
    assert [second.view(at).has_keyword("cart") for at in (0, 1)] == [True, False]
    assert [second.view(at).by_attribute("text").keys() for at in (0, 1)] == [{"Cart"}, {"Buy"}]


def test_without_known_screens_nothing_is_shared() -> None:
    corpus = Corpus([MemoryTrajectory("a", [RecordedScreen(HOME), RecordedScreen(HOME)])])
    assert corpus.view(0).tree is not corpus.view(1).tree


def test_a_dump_that_cannot_be_read_and_none_have_no_tree() -> None:
    screens = KnownScreens()
    corpus = Corpus(
        [MemoryTrajectory("a", [RecordedScreen(b""), RecordedScreen(b"<hierarchy")])], screens=screens
    )
    assert [corpus.view(at).tree for at in (0, 1)] == [None, None]


def test_the_screen_that_was_not_asked_for_longest_is_let_go() -> None:
    screens = KnownScreens(2)
    home, cart = screens.of(HOME), screens.of(CART)
    assert screens.of(HOME) is home
    screens.of(b"")
    assert screens.of(HOME) is home
    assert screens.of(CART) is not cart
