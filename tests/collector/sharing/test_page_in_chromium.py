"""The page in a real Chromium: by keyboard, with hostile texts, and without a network."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.sharing.page import page_of
from collector.sharing.shared_review import SharedReview
from tests.helpers.chromium import BrowserPage, Chromium, address_of
from tests.helpers.shared_trajectories import HOSTILE

CAPTIONS = "[...document.querySelectorAll('.column .caption .data')].map((each) => each.textContent)"


@pytest.fixture
def page(browser: Chromium, review: SharedReview, tmp_path: Path) -> BrowserPage:
    path = tmp_path / "review.html"
    path.write_bytes(page_of(review))
    page = browser.page()
    page.resize(1600, 1000)
    page.open(address_of(path))
    page.wait_for("document.querySelector('.column')")
    return page


def slot(page: BrowserPage) -> int:
    return int(page.text(".tick.current"))


def test_the_page_is_driven_by_the_keyboard(page: BrowserPage) -> None:
    assert slot(page) == 2, "it opens at the first divergence"
    page.press("ArrowRight")
    page.press("ArrowRight")
    page.press("ArrowLeft")
    assert slot(page) == 3
    page.press("End")
    last = slot(page)
    page.press("Home")
    assert slot(page) == 2
    page.press("ArrowRight", shift=True)
    assert slot(page) == min(12, last)
    page.press("Home")
    page.press("n")
    assert slot(page) != 2
    assert page.text("#announcement").startswith(f"Slot {slot(page)} / {last}. A ")

    page.press("1")
    assert page.evaluate("document.querySelectorAll('.column').length") == 1
    page.press("2")
    assert page.evaluate("document.querySelectorAll('.column').length") == 2
    page.press("ArrowUp")
    assert page.text(".column.selected .letter") == "A"

    page.press("Home")
    page.press("ArrowLeft")
    page.press("p")
    assert page.text(".phase-shown, .facts .segmented [aria-pressed=true]") == "After"
    page.press("p")
    page.press("p")
    assert page.evaluate("document.querySelectorAll('.column:first-child .mark.person').length") > 0

    page.press(" ")
    assert (
        page.evaluate("document.querySelector('.transport .outlined').getAttribute('aria-label')") == "Pause"
    )
    page.wait_for("Number(document.querySelector('.tick.current').textContent) > 1")
    page.press("Escape")
    assert (
        page.evaluate("document.querySelector('.transport .outlined').getAttribute('aria-label')") == "Play"
    )
    assert page.errors == []


def test_steps_are_filtered_and_the_tree_is_inspected(page: BrowserPage) -> None:
    page.press("/")
    page.type("action:swipe")
    dimmed = "document.querySelectorAll('.film-cell.dimmed').length"
    assert page.evaluate(dimmed) > 0
    page.press("Enter")
    assert "Swipe up" in page.evaluate(CAPTIONS)
    page.press("Escape")
    assert page.evaluate(dimmed) == 0
    page.press("/")
    page.type("nothing:here")
    assert "Unknown key: nothing" in page.text(".page-head")
    page.press("Escape")

    page.press("t")
    page.wait_for("document.querySelectorAll('.tree-row').length === 2")
    page.press("ArrowDown")
    page.press("ArrowDown")
    assert "Results" in page.text(".tree-row.selected")
    assert "resource-id" in page.text(".attributes")
    page.wait_for("document.querySelector('.column.selected .box.selected')")
    page.press("ArrowUp")
    page.press("ArrowLeft")
    assert page.evaluate("document.querySelectorAll('.tree-row').length") == 1
    page.press("ArrowRight")
    page.press("Escape")
    page.press("Escape")
    assert page.evaluate("document.querySelectorAll('.box.selected').length") == 0
    page.click(".column:first-child .screen", down=0.05)
    page.wait_for("document.querySelector('.tree-row.selected')")
    assert "#title" in page.text(".tree-row.selected")
    assert page.text(".column.selected .letter") == "A"
    assert page.errors == []


def test_rule_hits_device_events_and_the_clock_are_on_the_timeline(page: BrowserPage) -> None:
    lanes = "[...document.querySelectorAll('.lane')].map((each) => each.textContent)"
    assert any(lane.startswith("Rule hits") and "on_results" in lane for lane in page.evaluate(lanes))
    assert any(lane.startswith("Device events") and "paused" in lane for lane in page.evaluate(lanes))
    page.press("Home")
    here = slot(page)
    page.press("k")
    assert page.text(".tick.current") == "0:01.0"
    widths = "[...document.querySelectorAll('.tick')].map((each) => parseFloat(each.style.width))"
    assert min(page.evaluate(widths)) >= 6
    page.press("ArrowRight")
    page.press("k")
    assert slot(page) == here + 1
    assert page.errors == []


COVERED = """(() => {
  const flag = document.querySelector('.divergence-label').getBoundingClientRect();
  const text = document.createRange();
  return [...document.querySelectorAll('.tick')].filter((tick) => {
    text.selectNodeContents(tick);
    const { left, right } = text.getBoundingClientRect();
    return tick.textContent && left < flag.right && flag.left < right;
  }).map((tick) => tick.textContent);
})()"""


def test_the_flag_of_the_divergence_covers_no_number_at_any_zoom(page: BrowserPage) -> None:
    forms = set()
    clock = "Timeline by the clock"
    for pressed in (clock, clock, *["+"] * 3, *["−"] * 5):
        page.evaluate(f"document.querySelector('[aria-label=\"{pressed}\"]').click()")
        assert page.evaluate(COVERED) == []
        forms.add(page.evaluate("document.querySelector('.divergence-label').className"))
    assert "divergence-label short" in forms
    assert page.errors == []


def test_hostile_texts_stay_texts_and_nothing_is_loaded(page: BrowserPage) -> None:
    for _step in HOSTILE:
        page.press("ArrowRight")
        for tab in "dvct":
            page.press(tab)
    for _step in HOSTILE:
        page.press("Escape")
        page.press("ArrowLeft")
    page.press("Home")
    shown = page.evaluate(CAPTIONS)
    assert HOSTILE[0] in shown
    assert (
        page.evaluate(
            "document.querySelectorAll('img[src=x], [onerror], [onmouseover], b:not(.counts b)').length"
        )
        == 0
    )
    assert page.evaluate("document.scripts.length") == 2
    page.press("c")
    assert page.text(".comment .prose") == HOSTILE[0]
    own = ("file:", "blob:", "data:")
    assert [address for address in page.requests if not address.startswith(own)] == []
    assert len([address for address in page.requests if address.startswith("file:")]) == 1
    assert page.errors == []


def test_differences_are_shown_and_pixels_compared(page: BrowserPage) -> None:
    page.press("End")
    page.press("ArrowLeft")
    page.press("d")
    assert page.evaluate("document.querySelectorAll('.difference-list li').length") > 0
    page.wait_for("document.querySelector('.comparison.slider')")
    buttons = "[...document.querySelectorAll('.part .segmented button')]"
    page.evaluate(f"{buttons}[1].click()")
    page.wait_for("document.querySelector('.comparison.blink')")
    page.evaluate(f"{buttons}[2].click()")
    page.wait_for("document.querySelector('.comparison.heat canvas').width > 1")
    assert page.errors == []


def test_it_follows_the_scheme_of_the_reader_until_it_is_switched(page: BrowserPage) -> None:
    color = "getComputedStyle(document.body).backgroundColor"
    page.prefer("light")
    light = page.evaluate(color)
    page.prefer("dark")
    assert page.evaluate(color) != light
    page.click("[aria-label='Light or dark']")
    assert page.evaluate(color) == light
    page.press("?")
    assert page.evaluate("document.querySelector('dialog').open")
    page.press("Escape")
    controls = "[...document.querySelectorAll('button, input, select')]"
    named = "each.getAttribute('aria-label') || each.textContent.trim() || each.closest('label')"
    assert page.evaluate(f"{controls}.filter((each) => !({named})).length") == 0
    assert page.errors == []


def test_the_trace_is_shown_and_folded_by_kind(page: BrowserPage) -> None:
    count = "document.querySelectorAll('.trace-line{}').length"
    page.evaluate("document.getElementById('tab-trace').click()")
    every = page.evaluate(count.format(""))
    assert every > 10
    assert page.evaluate(count.format("[open]")) == 0
    page.evaluate("document.querySelector('.trace-kind button').click()")
    requests = page.evaluate(count.format("[open]"))
    assert 0 < requests < every
    page.evaluate("document.querySelector('.trace-kind input').click()")
    assert page.evaluate(count.format("")) == every - requests
