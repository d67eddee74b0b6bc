"""What the guided tour asks for and says, by what has really happened."""

from __future__ import annotations

from studio.app.guided_tour.tour_facts import TourFacts
from studio.app.guided_tour.tour_steps import STEPS, current_step, fact_of


def test_a_phone_of_ones_own_is_named_and_the_virtual_one_asked_for():
    own = TourFacts("Errands", own_phone="Pixel 7")
    step = STEPS[current_step(own)]
    assert (step.id, step.command) == ("phone", "device.start-virtual")
    assert fact_of(step, own).startswith("Pixel 7 stays connected")

    virtual = TourFacts("Errands", phone=True)
    assert STEPS[current_step(virtual)].id == "task"
    assert fact_of(step, virtual) == ""
