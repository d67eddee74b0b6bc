"""Read who answers the agents of an experiment: a word, or a mapping with the options of a model."""

from __future__ import annotations

from typing import Any

from collector.asking.model_user import MODEL_USER, model_settings
from collector.asking.user_choice import DEFAULT_WITHIN_S, GO_ON, UserChoice
from collector.endpoint.written_secrets import secret_in
from collector.located_yaml.yaml_node import YamlNode
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.user_reply import BY_MODEL, BY_PERSON, BY_TASK, WHO_ANSWERS
from collector.plugins.options import option_problems
from collector.run.experiment.keys import USER, key_of, names_in
from collector.run.experiment.value_reader import ExperimentValueReader, plain_options


def read_user(reader: ExperimentValueReader, node: YamlNode | None) -> UserChoice:
    """The choice under the key ``user``; what is wrong with it is reported."""
    if node is None:
        return UserChoice()
    if node.kind == "scalar":
        what = _("Nobody called {word} answers an agent", word=node.text)
        reader.check_word(node.text, WHO_ANSWERS, node, what)
        choice = UserChoice(node.text if node.text in WHO_ANSWERS else BY_TASK)
    elif node.kind == "mapping":
        choice = _of_mapping(reader, node)
    else:
        to_do = _("Write {example}, for example", example=key_of("experiment", "user").example)
        reader.wrong_shape(node, _("user is a word or a mapping"), to_do)
        return UserChoice()
    if choice.who == BY_MODEL:
        _check_model(reader, node, choice)
    return choice


def _of_mapping(reader: ExperimentValueReader, node: YamlNode) -> UserChoice:
    known = names_in(USER)
    beside = [pair for pair in node.pairs if pair[0].text not in known]
    who = reader.choice(node, USER, "who") or (BY_MODEL if node.get("model") is not None else BY_TASK)
    also = [key.text for key, _value in beside] if who == BY_MODEL else []
    reader.check_mapping(node, USER, also)
    if (inner := reader.found(node, "options")) is not None:
        beside += reader.pairs(inner, _("options is a mapping of names to values"))
    if who != BY_PERSON and (written := node.key("within_s")) is not None:
        what = _("{key} has no effect here", key="within_s")
        reader.report("unknown-setting", written.place, what, _("Only a person is waited for"))
    options: dict[str, Any] = {key.text: plain_options(value) for key, value in beside}
    for key, value in beside:
        if secret_in({key.text: plain_options(value)}):
            what = _("{key} looks like a key or a password", key=key.text)
            why = _("The file of an experiment is read and shared by others")
            to_do = _("Keep it in the keyring or in an environment variable, and remove it here")
            reader.report("secret-in-file", value.place, what, why, to_do)
    return UserChoice(
        who, reader.whole(node, USER, "within_s") or DEFAULT_WITHIN_S,
        reader.choice(node, USER, "unanswered") or GO_ON, options if who == BY_MODEL else {},
    )  # fmt: skip


def _check_model(reader: ExperimentValueReader, node: YamlNode, choice: UserChoice) -> None:
    for problem in option_problems(MODEL_USER, choice.options):
        written = node.get(problem.option)
        reader.report("bad-option", (written or node).place, problem.problem, "", problem.to_do)
        return
    try:
        model_settings(choice.options)
    except UserError as error:
        reader.report("bad-option", node.place, error.what, error.why, error.to_do)
