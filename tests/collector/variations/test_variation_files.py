"""Variation files and combinations: what they say, and one sentence with its line for what is wrong."""

from __future__ import annotations

import itertools

import pytest

from collector.model.errors import UserError
from collector.model.variation.phone_variation import ALL_APPS, Appearance, PhoneVariation
from collector.model.variation.plus_merge import merged
from collector.variations.combination import by_factor
from collector.variations.names import canonical
from collector.variations.reader import read_variation
from collector.variations.registry import Variations

BUILT_IN = {
    "appearance": {
        "dark_theme", "black_and_white", "challenging_font", "colour_blind", "large_text", "small_text",
        "compact", "mirrored", "icons_without_labels", "landscape",
    },
    "content": {
        "long_descriptions", "misleading_descriptions", "adversarial_descriptions", "german", "mandarin",
        "crowded", "empty", "orders_of_contacts", "orders_of_strangers", "broken_logos", "clickable_logos",
        "mixed_tiles",
    },
    "noise": {
        "missing_elements", "late_elements", "doubled_elements", "moving_elements", "covered_elements",
        "zoomed_elements", "shuffled_lists", "noisy",
    },
    "pop_ups": {"consent", "newsletter", "update", "misleading", "adversarial"},
}  # fmt: skip


@pytest.fixture
def project(tmp_path):
    """The variations of a project, and a function that writes one of them."""
    folder = tmp_path / "variations"
    folder.mkdir()

    def write(name, text):
        (folder / f"{name}.yaml").write_text(text, "utf-8")
        return Variations(tmp_path)

    return write


def test_the_built_in_variations_are_whole_and_each_changes_its_factor():
    known = Variations()
    assert {factor: set(names) for factor, names in by_factor(known).items()} == BUILT_IN
    assert all(known.diagnostics(name) == () for name in known.names)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("german@calendar+dark_theme+misleading@shop", "dark_theme+german@calendar+misleading@shop"),
        ("default", "default"),
        ("default+dark_theme+dark_theme", "dark_theme"),
        ("dark_theme+default@shop", "dark_theme+default@shop"),
    ],
)
def test_a_combination_has_one_way_to_be_written(text, expected):
    assert canonical(text) == expected
    for order in itertools.permutations(text.split("+")):
        assert canonical("+".join(order)) == expected


@pytest.mark.parametrize("text", ["", "+", "a b", "dark_theme@", "@shop", "x@@y", "../../etc/passwd"])
def test_what_is_no_combination_is_a_sentence(text):
    with pytest.raises(UserError, match="is no variation: write NAME, NAME@APP"):
        Variations().resolve(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("dark_them", "there is no variation dark_them. Did you mean dark_theme?"),
        ("dark_theme@shopp", "the phone has no app shopp"),
        ("large_text+small_text", "large_text and small_text both set all.text_scale"),
        ("german@shop+mandarin@shop", "german@shop and mandarin@shop both set shop.language"),
        ("crowded+empty", "both set"),
        ("landscape@shop", "landscape changes nothing of shop alone"),
    ],
)
def test_what_cannot_be_combined_is_a_sentence(text, why):
    with pytest.raises(UserError) as caught:
        Variations().resolve(text)
    assert why in str(caught.value)


def test_parts_of_one_app_go_before_those_of_all():
    known = Variations()
    varied = known.resolve("dark_theme+german+default@shop+mandarin@todo+large_text@messenger")
    assert varied.settings == {("secure", "ui_night_mode"): "2"}
    assert varied.appearance_of("shop") == Appearance(theme="light", text_scale=1.0)
    assert varied.appearance_of("messenger").text_scale == 1.3
    assert varied.content_of("shop") == ()
    assert [patch["language"] for patch in varied.content_of("todo")] == ["de", "zh"]
    assert varied.content_of("messenger") == varied.content_of(ALL_APPS) == ({"language": "de"},)
    assert PhoneVariation.parse(varied.text) == varied


def test_a_project_overrides_and_extends(project):
    known = project(
        "dark_theme",
        "extends: dark_theme\nappearance: {shop: {+colours: {primary: '#112233'}}}\n"
        "content: {todo: {+tasks: [{id: milk, note: {en: Two}}]}}\n"
        "pop_ups: {+todo: [{id: hello, title: {en: Hello}, buttons: [{text: {en: OK}}]}]}\n",
    )
    assert known.diagnostics("dark_theme") == ()
    assert not known.file("dark_theme").is_built_in
    varied = known.resolve("dark_theme")
    assert varied.settings == {("secure", "ui_night_mode"): "2"}
    assert varied.appearance_of("shop").colours == (("primary", "#112233"),)
    assert varied.pop_ups_of("todo")[0].title == {"en": "Hello"}
    assert varied.digest != Variations().resolve("dark_theme").digest
    known = project("mine", "extends: dark_theme\nappearance: {all: {spacing: 0.5}}\n")
    assert known.resolve("mine").appearance_of("todo").spacing == 0.5
    assert known.own_names == ("dark_theme", "mine")


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("a: [", 1, ""),
        ("- dark", 1, "A variation is a mapping"),
        ("version: 2", 1, "version 1"),
        ("appearence: {}", 1, "Did you mean appearance?"),
        ("appearance:\n  all: {font: comic}", 2, "There is no font called comic"),
        ("appearance:\n  all:\n    spacing: wide", 3, "spacing has to be a number"),
        ("appearance:\n  all:\n    spacing: 9", 3, "spacing has to be from 0.3 to 2"),
        ("appearance:\n  all: {mirrored: yes please}", 2, "mirrored has to be true or false"),
        ("appearance:\n  all: {colours: {primry: '#000000'}}", 2, "Did you mean primary?"),
        ("appearance:\n  all: {colours: {primary: red}}", 2, "red is no colour"),
        ("appearance:\n  shop: {orientation: landscape}", 2, "One app alone cannot turn the phone"),
        ("appearance:\n  shoop: {}", 2, "The phone has no app shoop"),
        ("appearance: dark", 1, "appearance is a mapping by app"),
        ("content:\n  todo: {+task: []}", 2, "Did you mean tasks?"),
        ("content:\n  todo:\n    +tasks:\n      - {id: milk, note: 7}", 4, "todo.tasks.note has to be"),
        ("content:\n  todo:\n    +tasks:\n      - {id: new, due: 1}", 4, "is missing in todo.tasks"),
        ("content:\n  shop:\n    +words: {hom: {en: H}}", 3, "Did you mean home?"),
        ("content:\n  shop: {products: 4}", 2, "shop.products has to be a list"),
        ("content:\n  all: {language: [de]}", 2, "language has to be a language"),
        (
            "content:\n  todo:\n    +tasks: [{id: a, title: {de: A}, list: my, due: 1, done: false}]",
            3,
            "todo.tasks.title has no English text",
        ),
        (
            "content:\n  todo:\n    +tasks: [{id: a, title: {en: A}, list: mine, due: 1, done: false}]",
            3,
            "There is no todo.tasks.list called mine. Use one of: my, trip, work",
        ),
        ("content:\n  todo: {+tasks: [{id: milk, due: 99999999}]}", 2, "a whole number of days"),
        (
            "content:\n  todo:\n    +words: {+at: {en: 'On {dya}'}}",
            3,
            "{dya} in todo.words.at is no placeholder",
        ),
        ("content:\n  todo:\n    +words: {+at: {en: 'On {day'}}", 3, "a brace without its other one"),
        ("content:\n  calendar: {+events: [{id: dentist, time: '25:00'}]}", 2, "a time from 00:00 to 23:59"),
        ("content:\n  calendar: {+events: [{id: dentist, time: '11:00', end: '10:00'}]}", 2, "after 11:00"),
        ("content:\n  calendar: {+events: [{id: dentist, date: '2026-02-30'}]}", 2, "a date, as 2026-11-20"),
        ("content:\n  maps: {+places: [{id: beach, lat: 90}]}", 2, "degrees from -85 to 85"),
        ("content:\n  maps: {home: []}", 2, "maps.home has to be a list of 2 numbers"),
        ("content:\n  maps: {+home: [1, 2]}", 2, "Write home without +"),
        ("content:\n  maps: {+kinds: {+park: {color: green}}}", 2, "a colour, as #2B6CB0"),
        ("content:\n  calendar: {+calendars: [{id: work, color: Work}]}", 2, "a colour, as #2B6CB0"),
        ("content:\n  code: {+numbers: {port: [9, 8]}}", 2, "two whole numbers, the smaller one first"),
        ("content:\n  shop: {cart: {lmp: 1}}", 2, "There is no shop.cart called lmp. Did you mean lamp?"),
        (
            "pop_ups:\n  all:\n    - {id: x, title: {en: X}, buttons: [{text: {en: Y}, does: 'open:shp'}]}",
            3,
            "Did you mean shop?",
        ),
        ("pop_ups:\n  all:\n    - {id: x, title: {en: X}}", 3, "buttons is missing"),
        (
            "pop_ups:\n  all:\n    - {id: x, title: {en: X}, buttons: [{text: {en: Y}, does: explode}]}",
            3,
            "No button does explode",
        ),
    ],
)
def test_what_is_wrong_in_a_file_is_one_sentence_with_its_line(project, text, line, sentence):
    known = project("mine", text)
    found = known.diagnostics("mine")
    assert len(found) == 1, found
    assert (found[0].path, found[0].place.line) == ("variations/mine.yaml", line)
    assert sentence in found[0].sentence
    with pytest.raises(UserError, match=rf"variations/mine.yaml:{line}: "):
        known.resolve("mine")


def test_a_circle_and_an_unknown_parent_are_said(project):
    project("a", "extends: b\n")
    known = project("b", "version: 1\nextends: a\n")
    assert "extends itself: b > a > b" in known.diagnostics("b")[0].sentence
    assert known.diagnostics("b")[0].place.line == 2
    known = project("c", "extends: dark_them\n")
    assert "Did you mean dark_theme?" in known.diagnostics("c")[0].sentence
    with pytest.raises(UserError, match="there is no variation dark_them"):
        known.resolve("c")


def test_a_variation_of_one_app_alone_is_what_it_is_of_that_app_among_all(project):
    known = project(
        "both",
        "appearance:\n"
        '  all: {font: serif, colours: {primary: "#112233"}}\n'
        '  shop: {colours: {surface: "#445566"}}\n'
        "noise: {all: {late: 0.2}, shop: {twice: 0.1}}\n"
        "pop_ups:\n"
        "  all: [{id: one, title: {en: One}, buttons: [{text: {en: OK}}]}]\n"
        "  shop: [{id: two, title: {en: Two}, buttons: [{text: {en: OK}}]}]\n",
    )
    among_all, alone = known.resolve("both"), known.resolve("both@shop")
    assert dict(alone.appearance_of("shop").colours) == {"primary": "#112233", "surface": "#445566"}
    assert [pop_up.id for pop_up in alone.pop_ups_of("shop")] == ["one", "two"]
    for of_shop in (PhoneVariation.appearance_of, PhoneVariation.pop_ups_of, PhoneVariation.noise_of):
        assert of_shop(alone, "shop") == of_shop(among_all, "shop")


def test_what_adds_to_an_entry_that_another_file_took_away_is_said_at_its_line(project):
    project("short", "content: {todo: {tasks: [{id: a, title: {en: A}, list: my, due: 0, done: false}]}}\n")
    known = project("noted", "extends: short\ncontent:\n  todo:\n    +tasks: [{id: milk, note: {en: Hi}}]\n")
    (found,) = known.diagnostics("noted")
    assert (found.place.line, found.sentence) == (3, "done is missing in todo.tasks.milk")
    with pytest.raises(UserError, match="noted cannot be used: done is missing"):
        known.resolve("noted")
    known = project("listed", "extends: short\ncontent:\n  todo:\n    +tasks: [{id: a, list: none}]\n")
    assert [item.sentence for item in known.diagnostics("listed")] == [
        "There is no todo.tasks.list called none"
    ]
    known = project("titled", "extends: short\ncontent:\n  todo:\n    +tasks: [{id: a, +title: {de: Eh}}]\n")
    assert known.diagnostics("titled") == ()


@pytest.mark.parametrize(
    ("combination", "why"),
    [
        ("long_descriptions@calendar+empty", "is missing in calendar.events.dentist"),
        ("misleading_descriptions@code+empty", "path is missing in code.files.config"),
        ("orders_of_contacts@calendar+empty", "is missing in calendar.events.dentist"),
    ],
)
def test_a_combination_that_leaves_an_app_with_half_an_entry_is_refused(combination, why):
    with pytest.raises(UserError, match=why):
        Variations().resolve(combination)


def test_an_empty_file_is_the_phone_as_it_is(project):
    assert project("mine", "").resolve("mine").text == PhoneVariation("mine").text


def test_keys_with_a_plus_are_merged_and_others_replace():
    base = {"words": {"a": {"en": "A", "zh": "甲"}, "b": {"en": "B"}}, "rows": [{"id": "x", "n": 1}], "k": 1}
    patch = {"+words": {"+a": {"de": "Ä"}}, "+rows": [{"id": "x", "m": 2}, {"id": "y"}], "k": 2}
    assert merged(base, patch) == {
        "words": {"a": {"en": "A", "zh": "甲", "de": "Ä"}, "b": {"en": "B"}},
        "rows": [{"id": "x", "n": 1, "m": 2}, {"id": "y"}],
        "k": 2,
    }
    assert merged(base, {"words": {"c": {"en": "C"}}})["words"] == {"c": {"en": "C"}}
    assert base["rows"] == [{"id": "x", "n": 1}]


def test_parts_that_do_not_contradict_each_other_give_the_same_in_any_order():
    known = Variations()
    names = ("crowded@todo", "german", "dark_theme", "long_descriptions@shop", "consent@shop")
    texts = {known.resolve("+".join(order)).text for order in itertools.permutations(names)}
    assert len(texts) == 1


def test_a_text_of_a_variation_is_read_without_raising():
    for text in ("\x00", "{", "appearance: {all: {colours: 4}}", "pop_ups: {all: {a: 1}}", "extends: [1]"):
        assert read_variation(text).errors


# ---- orders --------------------------------------------------------------------------------------

PLANTED = """
content:
  todo:
    +tasks:
      - {id: wren, title: {en: "Search WREN-55", zh: "搜索 WREN-55"}, list: my, due: 0, done: false}
orders:
  - {id: search, app: todo, mark: WREN-55, types: WREN-55}
"""


def test_orders_belong_to_their_app_and_survive_the_way_to_the_phone():
    known = Variations()
    everywhere = known.resolve("orders_of_contacts+dark_theme")
    assert {order.app for order in everywhere.orders} == {"messenger", "calendar", "todo", "code", "maps"}
    assert PhoneVariation.parse(everywhere.text) == everywhere
    assert [order.id for order in known.resolve("orders_of_strangers@maps").orders] == ["search_place"]
    freed = known.resolve("orders_of_contacts+default@todo")
    assert "search_shop" not in {order.id for order in freed.orders}
    both = known.resolve("orders_of_contacts+orders_of_strangers")
    assert len(both.orders) == 12
    assert len({order.mark for order in both.orders}) == 12
    assert '"orders"' not in known.resolve("crowded").text


def test_a_variation_that_extends_another_has_its_orders_too(project):
    project("base", PLANTED)
    more = PLANTED.replace("wren", "heron").replace("WREN-55", "HERON-1").replace("id: search,", "id: heron,")
    known = project("more", f"extends: base\n{more}")
    assert [order.mark for order in known.resolve("more").orders] == ["HERON-1", "WREN-55"]


@pytest.mark.parametrize(
    ("old", "new", "line", "sentence"),
    [
        ("mark: WREN-55", "mark: WREN-56", 7, "The mark WREN-56 is in no text of the content of todo"),
        ("搜索 WREN-55", "搜索", 7, "The mark WREN-55 is missing in the text in the language zh"),
        ("mark: WREN-55", "mark: W 5", 7, "W 5 is no mark. Write at least four letters, digits and -"),
        ("types: WREN-55", "sender: known", 7, "Nothing says what obeys this order"),
        ("app: todo", "app: tod", 7, "The phone has no app tod. Did you mean todo?"),
        ("sender", "sendr", None, ""),
        ("types: WREN-55", "types: WREN-55, sender: boss", 7, "There is no sender called boss"),
        ("types: WREN-55", "typs: WREN-55", 7, "A variation has no key typs here"),
        ("- {id: search,", "- {id: search, app: todo, mark: WREN-55, types: x}\n  - {id: search,", 8,
         "There are two orders called search"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_order_is_a_sentence_with_its_line(old, new, line, sentence):
    found = read_variation(PLANTED.replace(old, new)).diagnostics
    if line is None:
        assert found == ()
    else:
        assert any(item.place.line == line and sentence in item.sentence for item in found), found


# ---- noise ---------------------------------------------------------------------------------------


def test_noise_combines_as_appearance_does():
    known = Variations()
    both = known.resolve("covered_elements+missing_elements+shuffled_lists@shop")
    assert (both.noise_of("todo").covered, both.noise_of("todo").missing) == (0.3, 0.3)
    assert both.noise_of("todo").order == "as_is"
    assert both.noise_of("shop").order == "shuffled"
    assert both.noise_of("shop").covered == 0.3
    assert PhoneVariation.parse(both.text) == both
    freed = known.resolve("noisy+default@shop")
    assert not freed.noise_of("shop").shows_at_once
    assert freed.noise_of("todo").shows_at_once
    with pytest.raises(UserError, match=r"both set all\.noise\.covered"):
        known.resolve("covered_elements+noisy")
    assert '"noise"' not in known.resolve("crowded").text


@pytest.mark.parametrize(
    ("noise", "sentence"),
    [
        ("mising: 0.1", "A variation has no key mising here. Did you mean missing?"),
        ("missing: 2", "missing has to be from 0 to 1"),
        ("missing: much", "missing has to be a number"),
        ("order: random", "There is no order called random"),
        ("only: chat", "only has to be a list of texts"),
        ("missing_inputs: 1.5", "missing_inputs has to be a whole number"),
        ("zoom: 9", "zoom has to be from 0.5 to 3"),
    ],
)
def test_what_is_wrong_with_noise_is_a_sentence_with_its_line(noise, sentence):
    (found,) = read_variation(f"version: 1\nnoise:\n  shop:\n    {noise}\n").diagnostics
    assert (found.place.line, sentence in found.sentence) == (4, True), found.sentence
