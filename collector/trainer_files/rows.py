"""Samples as rows of the trainers: LLaMA-Factory, TRL, ms-swift, EasyR1 and verl.

Each is taken from the trainer's own documentation or loader: LLaMA-Factory's ``data/README.md``, TRL's
``dataset_formats.md``, ms-swift's ``Custom-dataset.md``, verl's ``examples/data_preprocess/geo3k.py`` and
``multiturn_sft_dataset.py``, EasyR1's columns ``problem``, ``images`` and ``answer``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from collector.trainer_files.conversation import (
    ASSISTANT,
    IMAGE,
    SYSTEM,
    Picture,
    Said,
    TrainingConversation,
)  # fmt: skip

PICTURES = "pictures"
"""The folder of pictures beside the rows."""
Row = Mapping[str, Any]
RowOf = Callable[[TrainingConversation], Row]


def llama_factory_row(sample: TrainingConversation) -> Row:
    """A line of LLaMA-Factory in its form ``sharegpt`` with the tags of OpenAI's messages."""
    learnt = {"role": ASSISTANT, "content": sample.answer}
    if not sample.rejected:
        return {"messages": [*_plain(sample.system, sample.prompt), learnt], "images": names(sample)}
    rejected = {"role": ASSISTANT, "content": sample.rejected}
    prompt = _plain(sample.system, sample.prompt)
    return {"messages": prompt, "chosen": learnt, "rejected": rejected, "images": names(sample)}


def dataset_info(files: Mapping[str, str], *, ranking: bool = False) -> Row:
    """LLaMA-Factory's ``dataset_info.json`` for files by the name of their data set."""
    columns = {"messages": "messages", "images": "images"}
    form: dict[str, Any] = {
        "formatting": "sharegpt", "columns": columns,
        "tags": {"role_tag": "role", "content_tag": "content", "user_tag": "user",
                 "assistant_tag": "assistant", "system_tag": "system"},
    }  # fmt: skip
    if ranking:
        form = {"ranking": True, **form, "columns": {**columns, "chosen": "chosen", "rejected": "rejected"}}
    return {name: {"file_name": file, **form} for name, file in files.items()}


def trl_row(sample: TrainingConversation) -> Row:
    """A line of TRL: messages whose contents are parts, with paths of pictures."""
    return {**trl_messages(sample), "images": names(sample)}


def trl_messages(sample: TrainingConversation) -> dict[str, Any]:
    """``messages`` of TRL, or ``prompt``, ``chosen`` and ``rejected``.

    Every part has the same keys, as Arrow needs them.
    """
    prompt = [*_of_parts([Said(SYSTEM, sample.system)] if sample.system else []), *_of_parts(sample.prompt)]
    learnt = _of_parts(sample.said[-1:])
    if not sample.rejected:
        return {"messages": [*prompt, *learnt]}
    return {"prompt": prompt, "chosen": learnt, "rejected": _of_parts([Said(ASSISTANT, sample.rejected)])}


def swift_row(sample: TrainingConversation) -> Row:
    """A line of ms-swift; places that are apart go into ``objects``, in pixels of their picture."""
    said = sample.said_apart or sample.said
    row: dict[str, Any] = {"messages": _plain(sample.system, said), "images": names(sample)}
    if sample.said_apart:
        row["objects"] = {
            "ref": list(sample.refs), "bbox": [list(place.numbers) for place in sample.places],
            "bbox_type": "real", "image_id": [place.picture for place in sample.places],
        }  # fmt: skip
    if sample.rejected:
        row["rejected_response"] = sample.rejected
    return row


def easyr1_row(sample: TrainingConversation) -> Row:
    """A row of EasyR1: the question of a sample with one, and the answer that is right."""
    problem = "\n\n".join([*filter(None, [sample.system]), *(each.text for each in sample.prompt)])
    return {
        "problem": problem, "images": in_row(sample.pictures), "answer": sample.truth or sample.answer,
        **sample.facts,
    }  # fmt: skip


def verl_row(sample: TrainingConversation, source: str, ability: str, side: str) -> Row:
    """A row of verl for reinforcement learning."""
    return {
        "data_source": source, "prompt": _plain(sample.system, sample.prompt),
        "images": in_row(sample.pictures), "ability": ability,
        "reward_model": {"style": "rule", "ground_truth": sample.truth or sample.answer},
        "extra_info": {"split": side, **sample.facts},
    }  # fmt: skip


def verl_supervised_row(sample: TrainingConversation) -> Row:
    """A row of verl for supervised training in several turns."""
    return {"messages": _plain(sample.system, sample.said), "images": in_row(sample.pictures), **sample.facts}


def names(sample: TrainingConversation) -> list[str]:
    """Paths of the pictures, beside the rows."""
    return [f"{PICTURES}/{picture.name}" for picture in sample.pictures]


def in_row(pictures: Iterable[Picture]) -> list[Row]:
    """Pictures as a row holds them."""
    return [{"bytes": picture.data, "path": picture.name} for picture in pictures]


def _plain(system: str, said: Sequence[Said]) -> list[dict[str, str]]:
    whole = [Said(SYSTEM, system), *said] if system else said
    return [{"role": each.role, "content": each.text} for each in whole]


def _of_parts(said: Iterable[Said]) -> list[dict[str, Any]]:
    return [{"role": each.role, "content": list(_parts(each.text))} for each in said]


def _parts(text: str) -> Iterator[Row]:
    pieces = text.split(IMAGE)
    for number, piece in enumerate(pieces):
        if number:
            yield {"type": "image", "text": None}
        if piece.strip() or len(pieces) == 1:
            yield {"type": "text", "text": piece.strip()}
