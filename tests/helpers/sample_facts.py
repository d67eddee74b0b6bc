"""What is to be seen in the golden trajectories of the sample, said a second time without any rule.

The conditions of ``rules/states.yaml`` and ``rules/success.yaml`` are repeated here as plain questions to
ElementTree, and their order by a loop, so that tests can predict what the judge has to say.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from collector.model.action import Action, Answer


@dataclass(frozen=True)
class SampleScreen:
    """One recorded screen, and what was done on the screen before it."""

    xml: bytes
    package: str = ""
    activity: str = ""
    led_here: Action | None = None

    def has(self, name: str = "", **wanted: str) -> bool:
        """Whether a node has this short id and these attributes (``text_``: the text contains it)."""
        return any(_fits(node, name, wanted) for node in _nodes(self.xml))

    def row(self, name: str, *inside: dict[str, str]) -> bool:
        """Whether a node with this short id has, for each of ``inside``, a node below it."""
        rows = [node for node in _nodes(self.xml) if _fits(node, name, {})]
        return any(
            all(any(_fits(node, wanted.get("id", ""), _less_id(wanted)) for node in row.iter("node"))
                for wanted in inside)
            for row in rows
        )  # fmt: skip

    def title(self, text: str) -> bool:
        """Whether the bar at the top says ``text``."""
        return self.row("toolbar", {"text": text})

    def shows(self, activity: str) -> bool:
        return self.activity.endswith(activity)

    def answered(self, part: str = "") -> bool:
        """Whether the screen came after an answer that contains ``part``."""
        return isinstance(self.led_here, Answer) and part in self.led_here.text


@cache
def _nodes(xml: bytes) -> tuple[ET.Element, ...]:
    return tuple(ET.fromstring(xml).iter("node"))


def _less_id(wanted: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in wanted.items() if key != "id"}


def _fits(node: ET.Element, name: str, wanted: dict[str, str]) -> bool:
    if name and node.get("resource-id", "").rpartition("/")[2] != name:
        return False
    for key, value in wanted.items():
        actual = node.get(key.rstrip("_").replace("desc", "content-desc"), "")
        if (value not in actual) if key.endswith("_") else (value != actual):
            return False
    return True


Fact = Callable[[SampleScreen], bool]


@dataclass(frozen=True)
class StateFact:
    """An essential state: what is to be seen, and which others come before it or count as it."""

    seen: Fact
    after: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    optional: bool = False


_CHECKED, _LIT = {"checked": "true"}, {"selected": "true"}


def _saved(title: str) -> Fact:
    """A product's heart is filled, in a list or on its page."""

    def seen(s: SampleScreen) -> bool:
        in_list = s.row("item", {"text_": title}, {"id": "save", **_LIT})
        return in_list or (
            s.shows(".ProductActivity") and s.has("title", text_=title) and s.has("save", **_LIT)
        )

    return seen


def _ticked(*titles: str) -> Fact:
    """A task of the to-do app is done, by its title in either language."""
    return lambda s: any(s.has("task_check", desc=title, **_CHECKED) for title in titles)


def _in_cart(s: SampleScreen) -> bool:
    return s.has("cart", desc="Cart (1)") or s.has("cart_item")


STATE_FACTS: dict[str, StateFact] = {
    "shop-11-1": StateFact(
        lambda s: s.shows(".ResultsActivity") and s.has("query", text_="botanical"), instead=("shop-11-3",)
    ),
    "shop-11-3": StateFact(
        lambda s: s.shows(".ProductActivity") and s.has("title", text_="Botanical print"), optional=True
    ),
    "shop-11-2": StateFact(_saved("Botanical print"), ("shop-11-1",)),
    "shop-13-1": StateFact(lambda s: s.shows(".ResultsActivity") and s.has("title", text_="Picture frame")),
    "shop-13-2": StateFact(
        lambda s: s.has("title", text="Picture frame, oak") and s.has("price", text="$29.00")
    ),
    "shop-13-4": StateFact(
        lambda s: (
            s.has("title", text="Picture frame, black")
            and s.has("price", text="$26.00")
            and s.has("stock", text="Sold out")
        )
    ),
    "shop-13-3": StateFact(lambda s: s.answered("oak"), ("shop-13-2", "shop-13-4")),
    "shop-14-1": StateFact(lambda s: s.has("account", desc="Account")),
    "shop-14-2": StateFact(lambda s: s.has("result_count", text_="poster")),
    "shop-14-3": StateFact(lambda s: s.has("chip_sort", text="Price: low to high"), ("shop-14-2",)),
    "shop-14-4": StateFact(lambda s: s.has("chip_filter", text="In stock"), ("shop-14-2",)),
    "shop-14-6": StateFact(
        lambda s: s.shows(".ProductActivity") and s.has("price", text="$9.50"),
        ("shop-14-3", "shop-14-4"),
        optional=True,
    ),
    "shop-14-5": StateFact(
        lambda s: s.has("title", text="Paris street poster") and _in_cart(s),
        ("shop-14-1", "shop-14-3", "shop-14-4"),
    ),
    "shop-16-3": StateFact(lambda s: s.shows(".ResultsActivity") and s.has("query", text="Prints")),
    "shop-16-1": StateFact(
        lambda s: s.has("chip_filter", text="In stock +1") and not s.has("stock", text="Sold out"),
        ("shop-16-3",),
    ),
    "shop-16-2": StateFact(lambda s: s.has("chip_sort", text="Newest"), ("shop-16-3",)),
    "shop-18-1": StateFact(lambda s: s.has("result_count", text_="海报")),
    "shop-18-2": StateFact(lambda s: s.has("chip_sort", text="用户评分"), ("shop-18-1",)),
    "shop-18-3": StateFact(_saved("睡猫海报"), ("shop-18-2",)),
    "shop-19-1": StateFact(
        lambda s: s.row("cart_item", {"text": "Stoneware mug"}, {"id": "count", "text": "2"})
    ),
    "shop-19-2": StateFact(lambda s: s.row("cart_item", {"text": "Desk lamp"})),
    "shop-19-3": StateFact(lambda s: s.answered("64.90"), ("shop-19-1", "shop-19-2")),
    "todo-01-1": StateFact(lambda s: s.shows(".EditActivity") and s.has("title", text="Collect the keys")),
    "todo-01-2": StateFact(
        lambda s: s.has("due_chip", text="Tomorrow", **_LIT) and s.has("list_chip", text="Trip", **_LIT),
        ("todo-01-1",),
    ),
    "todo-01-3": StateFact(
        lambda s: s.shows(".MainActivity") and s.row("task", {"text": "Collect the keys"}), ("todo-01-2",)
    ),
    "todo-04-2": StateFact(lambda s: s.has("task_check", **_CHECKED), optional=True),
    "todo-04-1": StateFact(
        lambda s: (
            s.shows(".MainActivity")
            and s.title("My tasks")
            and s.has("task_check", checked="false")
            and not s.has("task_check", **_CHECKED)
        )
    ),
    "todo-05-1": StateFact(lambda s: s.shows(".MainActivity") and s.title("旅行")),
    "todo-05-2": StateFact(lambda s: s.has("task_check", desc="打印车票", **_CHECKED)),
    "todo-05-3": StateFact(lambda s: s.answered("2"), ("todo-05-1", "todo-05-2")),
    "todo-06-1": StateFact(_ticked("Buy milk", "Milch kaufen")),
    "todo-07-1": StateFact(_ticked("Call landlord about heating", "Vermieter wegen Heizung anrufen")),
    "messenger-01-1": StateFact(lambda s: s.shows(".ChatActivity") and s.title("Ana Duarte")),
    "messenger-01-2": StateFact(
        lambda s: (
            s.has("message_text", text_="ten minutes late") or s.has("message_text", text_="10 minutes late")
        ),
        ("messenger-01-1",),
    ),
    "messenger-02-1": StateFact(lambda s: s.has("message_text", text_="7319")),
    "messenger-02-2": StateFact(
        lambda s: s.title("Dana Levi") and s.has("message_text", text_="7319"), ("messenger-02-1",)
    ),
    "messenger-05-1": StateFact(lambda s: s.has("message_text", text_="Platform 4")),
    "messenger-05-2": StateFact(
        lambda s: s.answered("station") and s.answered("latform 4"), ("messenger-05-1",)
    ),
    "settings-03-1": StateFact(
        lambda s: s.has(desc="Airplane mode", **_CHECKED) or s.has(text="Airplane mode", **_LIT)
    ),
    "settings-03-2": StateFact(
        lambda s: (
            s.has(desc="Use Wi-Fi", **_LIT)
            or (s.has(text="Wi-Fi", **_LIT) and s.has(text="Airplane mode", **_LIT))
        ),
        ("settings-03-1",),
    ),
    "home-01-1": StateFact(lambda s: s.row("result", {"text": "Shop"})),
    "home-01-2": StateFact(lambda s: s.package == "com.waymark.shop", ("home-01-1",)),
}

Success = Callable[[SampleScreen, frozenset[str]], bool]
"""Whether the task is done on a screen, with the milestones passed so far."""


def _passed(*states: str) -> Success:
    return lambda _s, passed: passed.issuperset(states)


def _answered_after(*states: str, part: str = "") -> Success:
    return lambda s, passed: s.answered(part) and passed.issuperset(states)


DONE: dict[str, Success] = {
    "shop-11": lambda s, passed: "shop-11-2" in passed and s.has("price", text="$24.00"),
    "shop-13": _answered_after("shop-13-2", "shop-13-4", part="oak"),
    "shop-14": lambda s, passed: (
        passed.issuperset(("shop-14-1", "shop-14-3"))
        and s.has("title", text="Paris street poster")
        and _in_cart(s)
    ),
    "shop-16": lambda s, _passed: (
        s.has("query", text="Prints")
        and s.has("chip_filter", text="In stock +1")
        and s.has("chip_sort", text="Newest")
    ),
    "shop-18": _passed("shop-18-2", "shop-18-3"),
    "shop-19": _answered_after("shop-19-1", "shop-19-2"),
    "todo-01": lambda s, _passed: (
        s.title("Trip") and s.row("task", {"text": "Collect the keys"}, {"text": "Tomorrow"})
    ),
    "todo-04": lambda s, _passed: STATE_FACTS["todo-04-1"].seen(s),
    "todo-05": _answered_after("todo-05-2"),
    "messenger-02": lambda s, _passed: s.title("Dana Levi") and s.has("message_text", text_="7319"),
    "messenger-05": _answered_after("messenger-05-1"),
    "settings-03": _passed("settings-03-1", "settings-03-2"),
    "home-01": lambda s, passed: "home-01-1" in passed and s.package == "com.waymark.shop",
}
ANSWERS: dict[str, Callable[[str], bool]] = {
    "shop-13": lambda text: "oak" in text.lower(),
    "shop-19": lambda text: text.strip("$") == "64.90",
    "todo-05": lambda text: [letter for letter in text if letter.isdigit()] == ["2"],
    "messenger-05": lambda text: "station" in text.lower() and "platform 4" in text.lower(),
}


@dataclass(frozen=True)
class Prediction:
    """The step at which each milestone is first passed, from 0, and the verdict on the task."""

    reached: dict[str, int]
    verdict: str


UNSEEN = b"<hierarchy/>"
"""The screen after a last action, which nobody recorded."""


def moments(
    screens: Sequence[SampleScreen], actions: Sequence[Action | None]
) -> list[tuple[int, SampleScreen]]:
    """What can be judged, each with its step: the screens up to the last answer, and what that led to.

    ``actions`` are those taken on the screens. An answer leaves the screen as it is.
    """
    answers = [index for index, action in enumerate(actions) if isinstance(action, Answer)]
    last = answers[-1] if answers else len(actions) - 1
    judged = list(enumerate(screens[: last + 1]))
    action = actions[last]
    if action is not None:
        kept = screens[last] if answers else SampleScreen(UNSEEN)
        judged.append((last, replace(kept, led_here=action)))
    return judged


def predict(task: str, screens: Sequence[SampleScreen], actions: Sequence[Action | None]) -> Prediction:
    """Walk along the moments, and say what was passed and whether the task is done."""
    own = {name: milestone for name, milestone in STATE_FACTS.items() if name.rpartition("-")[0] == task}
    reached: dict[str, int] = {}
    done = False
    for place, (step, screen) in enumerate(moments(screens, actions)):
        for _round in own:  # one milestone may open the way for another on the same screen
            for name, milestone in own.items():
                free = name not in reached and reached.keys() >= set(milestone.after)
                if free and (milestone.seen(screen) or reached.keys() & set(milestone.instead)):
                    reached[name] = step
        if task in DONE and place and DONE[task](screen, frozenset(reached)):
            done = True
    answers = [action.text for action in actions if isinstance(action, Answer)]
    if task in ANSWERS:
        done = done and bool(answers) and ANSWERS[task](answers[-1])
    verdict = "undecided" if task not in DONE else "success" if done else "failure"
    return Prediction(reached, verdict)
