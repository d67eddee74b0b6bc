"""Budgets of the virtual phone: a frame of a moving list <= 6 ms at 720x1600, <= 10 ms at 1080x2400."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from collector.model.geometry import Size
from collector.virtual.apps import make_apps
from collector.virtual.system.phone import Phone, PhoneProfile, ScreenFrame

SCREENS = {"720x1600": (Size(720, 1600), 320), "1080x2400": (Size(1080, 2400), 480)}


@pytest.fixture(params=SCREENS)
def phone(request: pytest.FixtureRequest) -> Iterator[Phone]:
    size, density = SCREENS[request.param]
    settings_phone = Phone(PhoneProfile(size=size, density=density, apps=make_apps()))
    settings_phone.launch("com.android.settings")
    settings_phone.capture()
    yield settings_phone
    settings_phone.close()


def test_a_frame_of_a_moving_list(phone: Phone, benchmark: BenchmarkFixture, within) -> None:
    notches = itertools.cycle([-0.1] * 8 + [0.1] * 8)
    x, y = phone.size.width / 2, phone.size.height / 2
    start = phone.capture().generation

    def frame() -> ScreenFrame:
        phone.scroll(x, y, 0, next(notches))
        return phone.capture()

    assert benchmark(frame).generation > start
    within(0.006 if phone.size.width == 720 else 0.010)


def test_a_whole_screen_from_its_state(phone: Phone, benchmark: BenchmarkFixture) -> None:
    nights = itertools.cycle("21")

    def frame() -> ScreenFrame:
        phone.settings.put("secure", "ui_night_mode", next(nights))
        return phone.capture()

    benchmark(frame)


def test_a_dump(phone: Phone, benchmark: BenchmarkFixture) -> None:
    assert benchmark(phone.hierarchy_xml).startswith(b"<?xml")
