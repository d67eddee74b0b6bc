"""The cards of the graph, from what the session knows of the states of its task."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.i18n import N_, _
from collector.rules.evaluation.task_states import states_judged_by_rules
from collector.rules.grammar.model import Rule
from studio.views.states.session import StatesSession
from studio.widgets.state_graph.state_card import StateCard

OK, DIFFERS, MISSING, OPTIONAL = "state-ok", "state-warn", "state-err", "state-draft"
PEOPLE, UNKNOWN = "user", "state-todo"
LEGEND = (
    (OK, N_("reached in all goldens")),
    (DIFFERS, N_("goldens or operators differ")),
    (MISSING, N_("reached in none")),
    (OPTIONAL, N_("optional")),
    (PEOPLE, N_("people judge it")),
)
"""Icons of the cards, and what they mean."""
_TONES = {DIFFERS: "warn", MISSING: "err"}


@dataclass(frozen=True, slots=True)
class StateStanding:
    """How a state stands among the golden trajectories: an icon, and the sentence that it stands for."""

    icon: str
    sentence: str


def state_cards(session: StatesSession) -> list[StateCard]:
    """One card for each state of the task, in their order."""
    judged = states_judged_by_rules(session.states)
    return [_card(session, state, is_judged=state.id in judged) for state in session.states]


def standing_of(session: StatesSession, state: Rule) -> StateStanding:
    """How a state stands among the golden trajectories."""
    return _standing(session, state, is_judged=state.id in states_judged_by_rules(session.states))


def _card(session: StatesSession, state: Rule, *, is_judged: bool) -> StateCard:
    standing = _standing(session, state, is_judged=is_judged)
    icon = OPTIONAL if state.optional and standing.icon != PEOPLE else standing.icon
    return StateCard(
        state.id,
        session.name_of(state.id),
        state.description.strip() or state.id,
        icon,
        "" if state.optional else _TONES.get(standing.icon, ""),
        _("optional") if state.optional else "",
        standing.sentence,
        state.optional,
        session.step_of(state.id),
        state.after,
        state.alternatives,
    )


def _standing(session: StatesSession, state: Rule, *, is_judged: bool) -> StateStanding:
    if not is_judged:
        step = session.marked_step(state.id)
        if step is None:
            return StateStanding(PEOPLE, _("It has no conditions: people judge it"))
        return StateStanding(PEOPLE, _("It has no conditions; people marked step {number}", number=step + 1))
    known = [golden for golden in session.goldens if golden.id in session.reach]
    if not known:
        reason = _("No golden trajectory is recorded") if not session.goldens else _("It is being judged")
        return StateStanding(UNKNOWN, reason)
    reached = {
        golden.title: where.reached
        for golden in known
        if (where := session.reach[golden.id].get(state.id)) is not None and where.reached is not None
    }
    missed = [golden.title for golden in known if golden.title not in reached]
    places = ", ".join(_("{trajectory} at step {number}", trajectory=title, number=step + 1)
                       for title, step in reached.items())  # fmt: skip
    if not reached:
        return StateStanding(MISSING, _("No golden trajectory reaches it"))
    if missed:
        others = ", ".join(missed)
        return StateStanding(DIFFERS, _("Reached in {places}; not in {others}", places=places, others=others))
    if state.id in session.differing:
        return StateStanding(DIFFERS, _("The operators propose it differently"))
    return StateStanding(OK, _("Reached in {places}", places=places))
