"""The codes of diagnostics with their meaning and severity; a code never changes its meaning."""

from __future__ import annotations

from dataclasses import dataclass

from collector.located_yaml.diagnostics import NOWHERE, Diagnostic, Place, QuickFix, Severity
from collector.model.i18n import N_


@dataclass(frozen=True, slots=True)
class CodeSpec:
    """One code; people silence it by ``name``, and ``doc`` is its sentence in the reference."""

    code: str
    name: str
    severity: Severity
    doc: str


_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

_TABLE = (
    CodeSpec("W101", "yaml-syntax", _E, N_("The text is not YAML")),
    CodeSpec("W102", "duplicate-key", _E, N_("A key appears twice in one mapping; the last one counts")),
    CodeSpec("W103", "wrong-shape", _E, N_("A value has the wrong type: a list, mapping, text or number")),
    CodeSpec("W104", "unknown-type", _E, N_("A condition or action has a type that does not exist")),
    CodeSpec("W105", "unknown-key", _W, N_("A key that nothing reads")),
    CodeSpec("W106", "missing-field", _E, N_("A condition, action or rule lacks what it needs")),
    CodeSpec("W107", "bad-selector", _E, N_("A selector cannot be read")),
    CodeSpec("W108", "bad-pattern", _E, N_("A regular expression cannot be read")),
    CodeSpec("W109", "no-conditions", _W, N_("A rule has no conditions, so it holds always or never")),
    CodeSpec("W110", "out-of-range", _E, N_("A number is out of range")),
    CodeSpec("W112", "unknown-silence", _W, N_("A comment silences a finding that does not exist")),
    CodeSpec("W201", "dangling-interference", _E, N_("An interference_id names no anomaly of the library")),
    CodeSpec("W202", "dangling-rule", _E, N_("A task names a rule that does not exist")),
    CodeSpec("W203", "dangling-rule-key", _E, N_("A rule_key names a success rule that does not exist")),
    CodeSpec("W204", "dangling-state", _E, N_("A state is named that does not exist")),
    CodeSpec("W205", "dangling-task", _E, N_("A task is named that does not exist")),
    CodeSpec("W206", "orphan-rule", _W, N_("No task uses the rule")),
    CodeSpec("W207", "orphan-interference", _I, N_("No rule injects the anomaly")),
    CodeSpec("W208", "duplicate-id", _E, N_("Two rules or anomalies have the same id; only one counts")),
    CodeSpec("W209", "human-validation", _W, N_("A placeholder that can never hold: a person has to judge")),
    CodeSpec("W210", "state-cycle", _E, N_("Essential states depend on each other in a circle")),
    CodeSpec("W211", "other-package", _W, N_("A shell command names another package than the task's")),
    CodeSpec("W212", "other-language", _W, N_("An anomaly's texts are not in the language its id says")),
    CodeSpec("W213", "orphan-state", _W, N_("No task and no rule names the essential state")),
    CodeSpec("W214", "useless-alternative", _W, N_("An alternative that is the state, or comes before it")),
    CodeSpec("W215", "repeated-state", _W, N_("A task or a state names the same essential state twice")),
    CodeSpec("W301", "threshold-always", _W, N_("A threshold or value that always holds")),
    CodeSpec("W302", "threshold-never", _E, N_("A threshold or value that can never hold")),
    CodeSpec("W303", "repeated-keyword", _W, N_("A keyword appears twice, or inside another one")),
    CodeSpec("W304", "unreachable-probability", _W, N_("A probability of 0 never injects")),
    CodeSpec("W305", "impossible-attribute", _E, N_("An attribute no UI dump has")),
    CodeSpec("W306", "contradiction", _E, N_("Conditions that exclude each other")),
    CodeSpec("W307", "semantics-differ", _I, N_("D-GARA's engine would read this otherwise")),
    CodeSpec("W308", "ignored-by-dgara", _I, N_("D-GARA's engine would ignore this")),
    CodeSpec("W309", "impossible-value", _E, N_("A value its attribute never has")),
    CodeSpec("W310", "repeated-condition", _W, N_("A condition appears twice in one group")),
    CodeSpec("W311", "follow-up-shape", _W, N_("A follow-up that belongs to no answer, or is empty")),
    CodeSpec("W312", "dgara-never", _E, N_("Never true to D-GARA's engine, which judges here")),
    CodeSpec("W401", "selector-unmatched", _W, N_("A selector that matches nothing in the recordings")),
    CodeSpec("W402", "selector-ambiguous", _I, N_("A selector matches several nodes where one is meant")),
    CodeSpec("W403", "keyword-unseen", _W, N_("A keyword that appears in no recorded state")),
    CodeSpec("W404", "keyword-typo", _W, N_("A keyword never seen that is nearly one that was")),
    CodeSpec("W405", "fires-everywhere", _W, N_("An injection rule that fires on every recorded state")),
    CodeSpec("W406", "never-fires", _W, N_("An injection rule that fires on no recorded state")),
    CodeSpec("W407", "true-at-start", _W, N_("A success rule that already holds on the first state")),
    CodeSpec("W408", "false-at-end", _E, N_("A success rule that does not hold on golden's last state")),
    CodeSpec("W409", "activity-unseen", _W, N_("An activity or package that appears in no recording")),
    CodeSpec("W410", "attribute-unseen", _W, N_("An attribute no recorded node has")),
    CodeSpec("W411", "order-crossed", _W, N_("Golden reaches a state before one it must come after")),
    CodeSpec("W412", "golden-unsafe", _W, N_("A safety rule that golden of its own task violates")),
    CodeSpec("W501", "unknown-activity", _E, N_("An activity the companion app does not have")),
    CodeSpec("W502", "unheard-answer", _E, N_("A button and its follow-up do not match")),
    CodeSpec("W503", "dangerous-command", _W, N_("A shell command that wipes, restarts or uninstalls")),
    CodeSpec("W504", "no-undo", _W, N_("A native anomaly that nothing takes back")),
    CodeSpec("W601", "unknown-setting", _E, N_("A key that no experiment has")),
    CodeSpec("W602", "unknown-name", _E, N_("An experiment names what the project does not have")),
    CodeSpec("W603", "unknown-agent", _E, N_("A kind of agent that is not installed")),
    CodeSpec("W604", "bad-option", _E, N_("An option that the kind of agent does not take")),
    CodeSpec("W605", "secret-in-file", _E, N_("A value that looks like a key or a password")),
    CodeSpec("W606", "no-such-form", _E, N_("No form of the anomaly has that many buttons")),
    CodeSpec("W607", "beyond-budget", _E, N_("An injection at a step that no episode reaches")),
    CodeSpec("W608", "beyond-some-budgets", _W, N_("An injection at a step that some tasks do not reach")),
    CodeSpec("W609", "no-golden", _E, N_("An agent that repeats recordings, for tasks without one")),
    CodeSpec("W610", "no-judge", _W, N_("Tasks of an experiment that no rule can judge")),
    CodeSpec("W611", "needs-virtual-phone", _E, N_("A setting that only virtual phones have")),
    CodeSpec("W612", "same-cells", _W, N_("Cells of an experiment that can never differ")),
    CodeSpec("W613", "empty-selection", _E, N_("A selection of an experiment that is empty")),
    CodeSpec("W614", "too-many-cells", _E, N_("An experiment with more cells than can be run")),
    CodeSpec("W615", "no-modality", _E, N_("An agent that none of the modalities can be given to")),
    CodeSpec("W616", "not-installed", _W, N_("A program of an agent that this computer does not have")),
    CodeSpec("W617", "bad-judge", _E, N_("A judge of an experiment that cannot be used")),
    CodeSpec("W618", "no-wording", _E, N_("A goal style in which a task has no rewording")),
    CodeSpec("W619", "unreadable-file", _E, N_("Rules or anomalies of the project cannot be read")),
    CodeSpec("W620", "no-first-error", _W, N_("Runs that agents are to recover, without a wrong step")),
    CodeSpec("W621", "needs-phone", _E, N_("A setting that needs a phone, with steps asked offline")),
    CodeSpec("W701", "unknown-variation-key", _E, N_("A key or a word that no variation has")),
    CodeSpec("W702", "unknown-variation", _E, N_("A variation extends one that does not exist, or itself")),
    CodeSpec("W703", "unfit-content", _E, N_("An app cannot draw a screen with the content of a variation")),
    CodeSpec("W801", "done-at-start", _E, N_("A task that its rules call done before anything was done")),
    CodeSpec("W802", "done-at-random", _E, N_("A task that an agent of random actions has done")),
    CodeSpec("W803", "never-done", _W, N_("A task that no run of an agent does")),
    CodeSpec("W804", "always-done", _W, N_("A task that every run of every agent does")),
    CodeSpec("W805", "answer-given-away", _W, N_("An instruction that says the expected answer")),
    CodeSpec("W806", "state-never-reached", _W, N_("An essential state that no golden of its task reaches")),
    CodeSpec("W807", "state-always-reached", _W, N_("An essential state that every run of its task reaches")),
    CodeSpec("W808", "anomaly-never-appears", _W, N_("An anomaly that runs plan and that never appears")),
    CodeSpec("W809", "anomaly-never-matters", _W, N_("An anomaly under which no run ends otherwise")),
    CodeSpec("W810", "judge-drifts", _W, N_("A judge that agrees with people less, or more, than before")),
    CodeSpec("W811", "verdicts-outdated", _W, N_("Verdicts of rules that are others now")),
    CodeSpec("W812", "golden-not-replayable", _W, N_("A golden that could not be replayed the last time")),
    CodeSpec("W821", "success-untouched", _W, N_("A success that touched nothing that a golden touches")),
    CodeSpec("W822", "success-refused", _W, N_("A success whose agent said that it cannot, or will not")),
    CodeSpec("W823", "success-too-short", _W, N_("A success in at most half the actions of any golden")),
    CodeSpec("W824", "success-from-behind", _W, N_("A success with data changed by none of its actions")),
    CodeSpec("W825", "success-by-settings", _W, N_("A success that used settings or a clock, as no golden")),
)  # fmt: skip

CODES: dict[str, CodeSpec] = {spec.name: spec for spec in _TABLE}
"""By name."""


def diagnostic(
    name: str,
    place: Place,
    what: str,
    why: str = "",
    to_do: str = "",
    *,
    rule_id: str = "",
    fixes: tuple[QuickFix, ...] = (),
) -> Diagnostic:
    """A diagnostic with the code and severity of the kind ``name`` (a key of ``CODES``)."""
    spec = CODES[name]
    return Diagnostic(spec.code, spec.severity, place or NOWHERE, what, why, to_do, rule_id, "", fixes)
