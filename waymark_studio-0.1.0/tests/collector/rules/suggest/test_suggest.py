"""What is offered for a click holds here, is ranked by how well it holds elsewhere, and says so."""

from __future__ import annotations

from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Rect
from collector.rules.conditions.current_package_is import CurrentPackageIs
from collector.rules.conditions.element_exists import ElementExists
from collector.rules.conditions.element_text import ElementTextEquals
from collector.rules.conditions.image_matches import ImageMatches
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.conditions.text_matches import TextMatches
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.model import DGARA, Condition, Group
from collector.rules.suggest.rule_proposals import propose_injections, propose_success
from collector.rules.suggest.samples import MOST_SAMPLES, Sample, Samples, thinned
from collector.rules.suggest.suggestions import suggest_for_node, suggest_for_nodes, suggest_for_region

APP = "com.example.shop"


def node(text: str = "", resource: str = "", **more: str) -> str:
    extra = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
    rid = f"{APP}:id/{resource}" if resource else ""
    return (
        f'<node text="{text}" resource-id="{rid}" class="android.widget.TextView" package="{APP}" '
        f'content-desc="" bounds="[0,0][100,50]"{extra}/>'
    )


def view(*nodes: str, activity: str = "") -> StateView:
    xml = f"<hierarchy rotation='0'>{''.join(nodes)}</hierarchy>".encode()
    return StateView(parse_tree(xml), xml, APP, activity)


def home(items: str = "3 items") -> StateView:
    return view(node("Prints", "tab"), node("Books", "tab2"), node(items, "count"), node("Menu", "menu"))


def results(count_text: str = "148 results") -> StateView:
    return view(
        node("Sort", "sort"), node("Filter", "filter"), node(count_text, "found"), node("Back", "back")
    )


def done(saved: str = "true") -> StateView:
    return view(
        node("Saved", "save", checkable="true", checked=saved), node("Share", "share"), node("12:04", "clock")
    )


def run(name: str, *views: StateView) -> list[Sample]:
    last = len(views) - 1
    return [Sample(name, "shop-1", index, seen, index == last) for index, seen in enumerate(views)]


def everything() -> list[Sample]:
    return [
        *run("a", home(), results(), done("false"), done()),
        *run("b", home("9 items"), results("7 results"), done()),
    ]


def test_every_suggestion_holds_where_it_was_asked_for() -> None:
    here = results()
    for clicked in here.nodes:
        for suggestion in suggest_for_node(clicked, Samples(here, everything(), "a")):
            assert evaluate_alone(suggestion.condition, here)


def evaluate_alone(condition: Condition, here: StateView) -> bool:
    return prove(condition, here).holds


def test_an_id_that_stays_beats_a_text_that_changes() -> None:
    here = results()
    suggestions = suggest_for_node(here.nodes[2], Samples(here, everything(), "a"))
    assert suggestions[0].condition == ElementExists(selector=f"resource-id='{APP}:id/found'")
    assert suggestions[0].reason == "2 of 2 runs, only this screen"
    text = next(item for item in suggestions if type(item.condition) is ElementTextEquals)
    assert text.reason == "1 of 2 runs, only this screen"
    assert text.score < suggestions[0].score


def test_numbers_in_a_text_become_a_pattern() -> None:
    here = results()
    suggestions = suggest_for_node(here.nodes[2], Samples(here, everything(), "a"))
    pattern = next(item for item in suggestions if isinstance(item.condition, TextMatches))
    assert pattern.standing.runs == 2
    assert evaluate_alone(pattern.condition, results("1,204 results"))
    assert not evaluate_alone(pattern.condition, results("No results"))


def test_what_holds_everywhere_ranks_under_what_holds_here() -> None:
    here = results()
    suggestions = suggest_for_node(here.nodes[0], Samples(here, everything(), "a"))
    package = next(item for item in suggestions if isinstance(item.condition, CurrentPackageIs))
    assert package.reason == "2 of 2 runs, 2 other screens too"
    assert package.score < suggestions[0].score


def test_several_nodes_become_keywords_with_a_threshold_one_short() -> None:
    here = results()
    suggestions = suggest_for_nodes(
        [here.nodes[0], here.nodes[1], here.nodes[3]], Samples(here, everything(), "a")
    )
    words = [item.condition for item in suggestions if isinstance(item.condition, SemanticElementExists)]
    assert words[0].keywords == ("Sort", "Filter", "Back")
    assert {word.match_threshold for word in words} == {1.0, 0.66}
    assert any(isinstance(item.condition, Group) for item in suggestions)
    for word in words:
        assert evaluate_alone(word, view(node("Sort"), node("Filter"))) is (word.match_threshold < 1)


def test_a_region_offers_its_picture_and_its_words() -> None:
    here = results()
    region = Rect(0, 0, 200, 200)
    suggestions = suggest_for_region(region, list(here.nodes), Samples(here))
    picture = next(item for item in suggestions if isinstance(item.condition, ImageMatches))
    assert picture.region == region
    assert any(isinstance(item.condition, SemanticElementExists) for item in suggestions)


def test_passwords_and_dots_are_never_keywords() -> None:
    here = view(node("••••", "pin"), node("secret", "password", password="true"), node("Sign in", "go"))
    suggestions = suggest_for_nodes(list(here.nodes), Samples(here))
    words = [
        item.condition.keywords for item in suggestions if isinstance(item.condition, SemanticElementExists)
    ]
    assert words == [("Sign in",)]


def test_without_recordings_it_says_so() -> None:
    here = results()
    suggestions = suggest_for_node(here.nodes[0], Samples(here))
    assert suggestions[0].reason == "Holds here; nothing is recorded yet to compare with"


def test_many_samples_are_thinned_but_the_own_trajectory_is_kept() -> None:
    here = home()
    many = [Sample(f"r{number % 50}", "t", number, here) for number in range(4000)]
    chosen = thinned(many, "r7")
    assert len(chosen) <= MOST_SAMPLES
    assert sum(item.trajectory == "r7" for item in chosen) == 80


def test_success_rules_hold_at_the_end_and_never_before_under_both_semantics() -> None:
    own = everything()[:4]
    proposals = propose_success(own, "task_saved", [everything()[-1]])
    assert proposals
    assert "checked" in proposals[0].title
    for proposal in proposals:
        for semantics in ("waymark", DGARA):
            held = [evaluate(proposal.rule, item.view, semantics).holds for item in own]
            assert held == [False, False, False, True]
    assert proposals[0].reason == (
        "Holds at the end and in none of the 3 states before; also at the end of 1 of 1 other runs"
    )


def test_clocks_never_become_success_rules() -> None:
    own = run("a", home(), view(node("12:05", "clock"), node("Prints", "tab")))
    assert all("12:05" not in item.title for item in propose_success(own, "x"))


def test_when_no_single_thing_is_new_a_few_together_are_proposed() -> None:
    own = run("a", view(node("A", "a")), view(node("B", "b")), view(node("A", "a"), node("B", "b")))
    proposals = propose_success(own, "x")
    assert len(proposals) == 1
    held = [evaluate(proposals[0].rule, item.view).holds for item in own]
    assert held == [False, False, True]


def test_a_trajectory_that_ends_where_it_began_proposes_nothing() -> None:
    assert propose_success(run("a", home(), home()), "x") == []
    assert propose_success([], "x") == []


def test_injection_points_fire_on_their_screen_and_nowhere_else() -> None:
    samples = everything()
    proposals = propose_injections(samples[:4], samples, "low_battery_double_en", "shop_1")
    assert proposals[0].index in (1, 2)
    first = next(proposal for proposal in proposals if proposal.index == 1)
    fires = [sample.index for sample in samples if evaluate(first.rule, sample.view).holds]
    assert fires == [1, 1]
    assert first.rule.actions[0].interference_id == "low_battery_double_en"
    assert first.reason.startswith("Fires at step 2; on 2 of 2 states of this screen, 0 of others")
