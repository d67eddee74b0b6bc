"""Passwords never get out: not as text, not as pixels, not where somebody repeats them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from collector.hierarchy.parse import parse_tree
from collector.model.action import Type
from collector.model.trajectory import State, Step
from collector.model.user_reply import REPLY
from collector.sharing.page_step_values import PageSteps
from collector.sharing.private_content import private_regions, safe_step, without_secrets
from collector.sharing.shared_review import SharedReview
from collector.store.redaction.screens import MASK
from collector.store.redaction.secret_text import SecretTexts
from tests.helpers.dumps import hierarchy, node
from tests.helpers.shared_trajectories import PASSWORD_FIELD, SECRET


def test_a_typed_password_is_masked_wherever_it_is_repeated(review: SharedReview) -> None:
    golden, run = review.sides
    assert golden.steps[1].action == Type(redacted=True)
    assert golden.steps[1].description == "Type a hidden text into 'password'"
    thoughts = [step.agent.thought for step in run.steps if step.agent is not None]
    assert f"I type {MASK}" in thoughts[1]
    said = [run.reason, golden.verdicts.task[0].reason, run.verdicts.comments[1].text, *thoughts]
    assert not [text for text in said if SECRET in text]


def test_the_pixels_and_the_text_of_a_password_field_are_hidden(review: SharedReview) -> None:
    step = review.sides[0].steps[1]
    image = review.screens.picture(0, step)
    assert image is not None
    pixels = np.asarray(image)
    assert not pixels[60:80, 5:55].any()
    assert pixels[85:, :].all()
    tree = review.screens.tree(0, step)
    assert tree is not None
    (field,) = [each for each in tree if each.password]
    assert field.text == MASK
    assert field.parent is not None
    assert field in field.parent.children


def test_a_node_that_shows_the_password_in_plain_text_is_hidden_too() -> None:
    tree = parse_tree(
        hierarchy(node(text=f"You typed {SECRET}!", bounds="[1,2][30,40]"), PASSWORD_FIELD).encode()
    )
    secrets = SecretTexts([SECRET])
    assert [str(region) for region in private_regions(tree, secrets)] == ["[1,2][30,40]", "[5,60][55,80]"]
    safe = without_secrets(tree, secrets)
    assert safe.nodes[0].text == f"You typed {MASK}!"
    assert safe.nodes[0].class_name == tree.nodes[0].class_name


def test_a_password_too_short_to_be_looked_for_silences_what_was_said() -> None:
    from collector.model.episode import AgentTurn

    tree = parse_tree(hierarchy(PASSWORD_FIELD).encode())
    turn = AgentTurn("the PIN is 7", predicted=Type("7"))
    step = Step(0, 0, "", State(), Type("7", 1), None, "Type '7'", agent=turn)
    safe = safe_step(step, tree, SecretTexts(["7"]))
    assert safe.agent is not None
    assert (safe.agent.thought, safe.agent.predicted) == ("", None)
    assert "7" not in safe.description


def test_what_a_user_answered_is_shown_without_a_password_that_was_typed(review: SharedReview) -> None:
    said = {"text": f"It is {SECRET}", "by": "person", "person": "lin", "needed": True}
    step = replace(review.sides[0].steps[0], extra={REPLY: said, "more": 1})
    safe = safe_step(step, None, SecretTexts([SECRET]))
    assert safe.extra == {REPLY: {**said, "text": f"It is {MASK}"}, "more": 1}
    assert PageSteps(review).values(0, step)["reply"] == f"lin: It is {MASK}"
