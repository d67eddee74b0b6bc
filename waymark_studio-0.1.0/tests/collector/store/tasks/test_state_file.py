"""Changes of ``rules/states.yaml``: only what changes is written anew, whatever shape the file has."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.store.files.errors import Damaged
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange, changed_states, states_of

BLOCK = """\
# Ours
states:
  # the cart
  - id: cart   # by hand
    sentence: The cart is open   # or not
    conditions:
      all: [{type: min_step, value: 2}]
  - description: 'It''s
      paid'
    id: 7
    after: [cart]
    lab: {x: 1}
# the end
"""
SHAPES = {
    "block": BLOCK,
    "windows": BLOCK.replace("\n", "\r\n"),
    "marked": "\ufeff" + BLOCK,
    "one line": "states: [{id: cart, sentence: Open}, {id: 7, description: It's paid}]\n",
    "anchors": "states:\n- {id: cart, sentence: Open, lab: &a [1]}\n- {id: 7, description: Paid, lab: *a}\n",
    "quoted": "states:\n- {id: cart, sentence: Open}\n- id: '7'\n  description: \"It's\n\n- id: paid\"\n",
}
NEW = EssentialState(
    "new", "新状态: #1", after=("cart",), optional=True, alternatives=("7",), status="agreed"
)


def read(data: bytes) -> dict[str, EssentialState]:
    return states_of(yaml.safe_load(data), "states.yaml")


def changed(data: bytes, *changes: StateChange) -> bytes:
    return changed_states(data, changes, "states.yaml", read(data))


@pytest.mark.parametrize("shape", SHAPES)
def test_states_are_added_changed_and_deleted_in_files_of_every_shape(shape: str) -> None:
    data = SHAPES[shape].encode()
    before = read(data)
    cart, paid = before.values()
    renamed = replace(cart, sentence="The cart: shown", status="audited")
    edited = changed(data, StateChange(None, NEW), StateChange(cart, renamed))
    assert list(read(edited).values()) == [renamed, paid, NEW]
    assert edited.startswith(b"\xef\xbb\xbf") == data.startswith(b"\xef\xbb\xbf")
    back = changed(edited, StateChange(NEW, None), StateChange(renamed, cart))
    assert read(back) == before
    without = changed(edited, *(StateChange(state, None) for state in (renamed, paid, NEW)))
    assert read(without) == {}
    assert list(read(changed(without, StateChange(None, NEW))).values()) == [NEW]


def test_what_does_not_change_stays_as_it_is_written() -> None:
    cart = read(BLOCK.encode())["cart"]
    edited = changed(BLOCK.encode(), StateChange(cart, replace(cart, sentence="Shown"))).decode()
    assert edited == BLOCK.replace("sentence: The cart is open ", "sentence: Shown ")
    again = changed(edited.encode(), StateChange(None, EssentialState("last", "Last"))).decode()
    assert again == edited.replace("# the end", "  - id: last\n    description: Last\n# the end")


@pytest.mark.parametrize("text", ["", "# only a comment", "states:\n", "states: []\n", "{}\n", "states: ~\n"])
def test_an_empty_file_gets_its_first_state(text: str) -> None:
    edited = changed(text.encode(), StateChange(None, NEW))
    assert list(read(edited).values()) == [NEW]
    assert "comment" not in text or edited.startswith(text.encode())


@pytest.mark.parametrize("text", ["- id: a\n", "states: text\n", "states: {a: b}\n"])
def test_a_file_without_a_list_of_states_is_refused(text: str) -> None:
    with pytest.raises(Damaged, match="no list of states"):
        states_of(yaml.safe_load(text), "states.yaml")


TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=15)
STATES = st.lists(st.tuples(TEXT, st.booleans(), st.sampled_from(["proposed", "audited"])), max_size=4)


@settings(max_examples=25, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(STATES, STATES, st.sampled_from(sorted(SHAPES)))
def test_every_sentence_reads_back(
    first: list[tuple[str, bool, str]], second: list[tuple[str, bool, str]], shape: str
) -> None:
    data = SHAPES[shape].encode()
    for states in (first, second):
        before = read(data)
        wanted = {
            f"s-{number}": EssentialState(f"s-{number}", text, optional=optional, status=status)
            for number, (text, optional, status) in enumerate(states)
        }
        changes = [StateChange(before.get(name), state) for name, state in wanted.items()]
        data = changed(data, *changes)
        assert read(data) == {**before, **wanted}


def test_states_of_other_files_are_known_and_change_where_they_are(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    usual, other = project.paths.rule_file("state"), project.folder / "rules/more-states.yaml"
    other.parent.mkdir()
    other.write_text("# mine\nstates:\n  - id: paid\n    sentence: Paid  # at last\n", "utf-8")
    (other.parent / "success.yaml").write_text("states: [{id: no, sentence: no}]\n")
    broken = other.parent / "broken.yaml"
    broken.write_text("states: [\n")
    assert project.states == {"paid": EssentialState("paid", "Paid")}
    cart, paid = EssentialState("cart", "In the cart"), project.states["paid"]
    task = Task("buy", "Buy", essential_states=("cart", "paid"))
    changes = [StateChange(None, cart), StateChange(paid, replace(paid, sentence="All paid"))]
    project.save_tasks([task], states=changes)
    assert [state.sentence for state in Project.open(project.folder).states.values()] == [
        "In the cart", "All paid",
    ]  # fmt: skip
    assert other.read_text("utf-8") == "# mine\nstates:\n  - id: paid\n    sentence: All paid  # at last\n"
    assert "paid" not in usual.read_text("utf-8").replace("All paid", "")
    other.unlink()
    assert list(project.states) == ["cart"]
