"""What ``--devices``, ``--workers``, ``--executor`` and ``--ray-address`` of ``waymark run`` mean."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import click
import pytest

from collector.cli.run.phones import executor_of, phones_of
from collector.model.geometry import Size
from collector.run.experiment.model import AgentEntry, Experiment, PhoneChoice
from collector.run.phones.free_phones import FreePhones
from collector.run.workers import ray_worker

NOTHING = PhoneChoice()


def experiment(choice=NOTHING):
    return Experiment("pilot", ("buy",), (AgentEntry("golden", "golden"),), phones=choice)


@pytest.mark.parametrize(
    ("devices", "workers", "choice", "kind", "count"),
    [
        ("", 0, NOTHING, "VirtualPhones", 1),
        ("", 3, NOTHING, "VirtualPhones", 3),
        ("", 0, PhoneChoice(virtual=2), "VirtualPhones", 2),
        ("virtual", 0, PhoneChoice(virtual=2), "VirtualPhones", 1),
        ("virtual", 4, NOTHING, "VirtualPhones", 4),
        ("virtual:12", 4, NOTHING, "VirtualPhones", 12),
        ("avd:Pixel_6", 0, NOTHING, "EmulatorProvider", 1),
        ("avd:Pixel_6", 2, NOTHING, "EmulatorProvider", 2),
        ("avd:Pixel_6:3", 2, PhoneChoice(virtual=9), "EmulatorProvider", 3),
        ("avd:Pixel.6-a", 0, PhoneChoice(avd="Other", count=4), "EmulatorProvider", 4),
        ("", 0, PhoneChoice(avd="Other", count=4), "EmulatorProvider", 4),
        ("", 0, PhoneChoice(serials=("a", "b")), "ConnectedPhones", 2),
        ("emulator-5554, 10.0.0.7:5555,R58M", 0, PhoneChoice(virtual=2), "ConnectedPhones", 3),
    ],
)
def test_the_option_goes_before_the_experiment(devices, workers, choice, kind, count):
    phones = phones_of(choice, devices, workers)
    assert (type(phones).__name__, phones.count) == (kind, count)
    if devices.startswith("avd:"):
        assert phones.avd == devices.split(":")[1]


def test_virtual_phones_have_the_size_of_the_experiment():
    phones = phones_of(PhoneChoice(virtual=2, size=Size(480, 1064), density=213), "virtual:3", 0)
    assert (phones.options.size, phones.options.density) == ("480x1064", 213)
    assert "--ask-permissions" not in phones.options.arguments()


def test_apps_of_virtual_phones_ask_for_their_permissions_where_the_experiment_says_so():
    phones = phones_of(PhoneChoice(virtual=2, asks_permissions=True), "virtual:3", 0)
    assert "--ask-permissions" in phones.options.arguments()


@pytest.mark.parametrize(
    ("devices", "says"),
    [
        ("virtual:0", "1 to 256 virtual phones"), ("virtual:257", "1 to 256"), ("avd:Pixel:0", "emulators"),
        ("avd:", "write virtual:N or avd:NAME:N"), ("avd:a b:2", "names no phones"),
        ("virtual:two", "names no phones"), ("a,b,a", "a is named twice"), (" , ", "no phone is named"),
    ],
)  # fmt: skip
def test_what_names_no_phones_is_refused(devices, says):
    with pytest.raises(click.BadParameter, match=says):
        phones_of(NOTHING, devices, 0)


@pytest.mark.parametrize(
    ("devices", "workers", "kind", "executor", "count"),
    [
        ("virtual:1", 0, "", "LocalExecutor", 1), ("virtual:2", 0, "", "ProcessExecutor", 2),
        ("virtual:4", 1, "", "LocalExecutor", 1), ("virtual:2", 0, "local", "LocalExecutor", 2),
        ("virtual:1", 0, "process", "ProcessExecutor", 1),
    ],
)  # fmt: skip
def test_several_phones_are_a_process_each(devices, workers, kind, executor, count):
    found = executor_of(experiment(), devices, workers, kind, Path())
    assert (type(found).__name__, found.count) == (executor, count)


def test_more_workers_than_phones_and_a_cluster_without_ray_are_refused():
    with pytest.raises(click.BadParameter, match="3 workers need as many phones"):
        executor_of(experiment(), "a,b", 3, "", Path())
    for kind in ("", "local", "process"):
        with pytest.raises(click.BadParameter, match="only --executor ray"):
            executor_of(experiment(), "", 0, kind, Path(), "10.0.0.1:6379")


@pytest.mark.parametrize(
    ("devices", "workers", "choice", "address", "options", "phones"),
    [
        # Without a word about phones there is a worker for each phone of the cluster.
        ("", 0, NOTHING, "", ("auto", 0), ("VirtualPhones", 1)),
        ("", 0, PhoneChoice(virtual=2), "", ("auto", 2), ("VirtualPhones", 2)),
        ("", 5, PhoneChoice(virtual=2), "10.0.0.1:6379", ("10.0.0.1:6379", 5), ("VirtualPhones", 5)),
        ("virtual:3", 0, NOTHING, "local", ("local", 3), ("VirtualPhones", 3)),
        ("avd:Pixel:2", 0, NOTHING, "auto", ("auto", 2), ("EmulatorProvider", 2)),
        ("connected", 0, NOTHING, "", ("auto", 0), ("FreePhones", 1)),
        ("a,b", 0, NOTHING, "", ("auto", 0), ("FreePhones", 2)),
    ],
)
def test_a_cluster_has_an_address_and_workers(
    monkeypatch, devices, workers, choice, address, options, phones
):
    monkeypatch.setattr(
        ray_worker,
        "RayExecutor",
        lambda *parts: SimpleNamespace(project=parts[0], phones=parts[1], options=parts[2]),
    )
    found = executor_of(experiment(choice), devices, workers, "ray", Path("p"), address)
    assert found.project == Path("p")
    assert (found.options.address, found.options.workers) == options
    assert (type(found.phones).__name__, found.phones.count) == phones
    if devices == "a,b":
        assert found.phones == FreePhones(2, ("a", "b"))
