"""The details of a step: facts, and texts that a person writes."""

from __future__ import annotations

from dataclasses import replace

from studio.widgets.controls import Label
from studio.widgets.step_details.step_details import StepDetails
from tests.helpers.sample_steps import sample_steps


def test_texts_are_emitted_when_another_step_is_shown(dressed, qtbot):
    details = StepDetails(60_000)
    qtbot.addWidget(details)
    first, second = sample_steps()[:2]
    details.show_step(first)
    details.intention.setPlainText("Begin")
    with qtbot.waitSignal(details.reworded) as reworded:
        details.show_step(second)
    assert reworded.args == [0, {"intention": "Begin"}, False]
    assert details.intention.toPlainText() == ""


def test_without_a_step_the_details_show_no_empty_fields_but_what_to_do(dressed, qtbot):
    details = StepDetails(60_000)
    qtbot.addWidget(details)
    details.show()
    assert not details.intention.isVisible()
    assert details.findChild(Label).isVisible()
    details.show_step(sample_steps()[0])
    assert details.intention.isVisible()


def test_each_pause_saves_what_was_typed_as_one_edit_per_text(dressed, qtbot):
    details = StepDetails(0)
    qtbot.addWidget(details)
    details.show_step(sample_steps()[0])
    emitted = []
    details.reworded.connect(lambda _index, texts, continues: emitted.append((texts, continues)))
    for field, text in ((details.note, "a"), (details.note, "ab"), (details.intention, "go")):
        field.setPlainText(text)
        with qtbot.waitSignal(details.reworded):
            pass
        # The step comes back with the saved text, as the store emits it.
        step = replace(sample_steps()[0], note=details.note.toPlainText())
        details.show_step(replace(step, intention=details.intention.toPlainText()))
    assert emitted == [({"note": "a"}, False), ({"note": "ab"}, True), ({"intention": "go"}, False)]
