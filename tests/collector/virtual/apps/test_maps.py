"""What a person can do in the maps app, as events on its state and by touch on a phone."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import pytest

from collector.model.phone.touch import TouchAction
from collector.virtual.apps.maps.app import MapsApp
from collector.virtual.apps.maps.painting import MapView
from collector.virtual.apps.maps.panels import address, distance
from collector.virtual.apps.maps.routes import MODES, route
from collector.virtual.apps.maps.state import LEAST_ZOOM, MOST_ZOOM, MapsState, SavedPlace
from collector.virtual.apps.maps.town import REACH, Spot, Town, middle_of
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import load, texts_of
from collector.virtual.ui.drawing.pictures import rendered
from collector.virtual.ui.effects import Change, Finish, RequestPermission, ShowSnackbar, ShowToast
from collector.virtual.ui.events import Event, Pinch
from tests.helpers.phone_driver import bounds, find, has, tap, wait_until
from tests.helpers.shell_device import shell_device

APP = MapsApp()
SIZE = (360.0, 800.0)


def play(*events: Event, state: MapsState | None = None) -> tuple[MapsState, tuple[Any, ...]]:
    now = APP.initial(1, "en-US") if state is None else state
    effects: tuple[Any, ...] = ()
    for event in events:
        result = APP.update(now, event)
        now, effects = (result.state, result.effects) if isinstance(result, Change) else (result, ())
    return now, effects


@pytest.fixture(scope="module", params=[1, 7, 23, 40])
def town(request: pytest.FixtureRequest) -> Town:
    return Town(request.param, *load("maps")["home"])


def test_a_seed_gives_one_town_on_land_with_all_its_places(town: Town) -> None:
    assert set(town.places) == {row["id"] for row in load("maps")["places"]}
    for place in town.places.values():
        assert abs(place.spot.x) < REACH
        assert place.spot.y < town.coast(place.spot.x), f"{place.id} is in the sea"
        assert town.degrees(place.spot) == (place.lat, place.lng)
    spots = [place.spot for place in town.places.values()]
    apart = min(a.distance(b) for i, a in enumerate(spots) for b in spots[:i])
    assert apart > 40
    assert all(middle_of(park).y < town.coast(middle_of(park).x) for park in town.parks)


def test_another_seed_gives_another_town() -> None:
    first, again, other = (APP.initial(seed, "en-US") for seed in (1, 1, 2))
    assert first == again
    assert first.saved != other.saved


def test_degrees_and_meters_agree() -> None:
    town = Town(1, 43.3712, -8.3960)
    spot = town.spot(*town.degrees(Spot(1234.0, -567.0)))
    assert math.isclose(spot.x, 1234, abs_tol=0.2)
    assert math.isclose(spot.y, -567, abs_tol=0.2)


def turns(corners: tuple[Spot, ...]) -> list[str]:
    """The turns of a way as a compass sees them: streets cross each other nearly at right angles."""
    headings = [math.atan2(b.y - a.y, b.x - a.x) for a, b in itertools.pairwise(corners)]
    changes = [math.remainder(b - a, 2 * math.pi) for a, b in itertools.pairwise(headings)]
    return ["turn_right" if change > 0 else "turn_left" for change in changes if abs(change) > 0.8]


def test_every_way_goes_over_land_and_is_as_long_as_its_parts(town: Town) -> None:
    places, trams = list(town.places.values()), 0
    for start, end in zip(places[::5], places[3::5], strict=False):
        walk, drive = (route(town, start.spot, end.spot, mode) for mode in ("foot", "car"))
        assert walk is not None
        assert drive is not None
        assert walk.meters >= start.spot.distance(end.spot) - 1
        assert drive.minutes <= walk.minutes + 2
        assert (walk.points[0], walk.points[-1]) == (start.spot, end.spot)
        ride = route(town, start.spot, end.spot, "tram")
        assert [leg.kind for leg in walk.legs[1:]] == turns(walk.points[1:-1])
        assert walk.meters == pytest.approx(
            sum(leg.meters for leg in walk.legs)
            + start.spot.distance(walk.points[1])
            + end.spot.distance(walk.points[-2])
        )
        if ride is not None:
            trams += 1
            assert ride.minutes <= 1.5 * walk.minutes
            kinds = [leg.kind for leg in ride.legs]
            assert (kinds[0], kinds[-1]) == ("walk_to_stop", "leave")
            assert kinds[1:-1] == ["board"] * (len(kinds) - 2)
            assert set(ride.ride) <= set(ride.points)
    assert trams, "hardly a way by tram"


def test_what_is_under_the_fingers_stays_there() -> None:
    before, _ = play()
    at = (0.25, 0.75)
    after, _ = play(Event("pinch", SIZE, Pinch(2.0, at, (0.1, -0.05))))

    def spot(state: MapsState, share: tuple[float, float]) -> Spot:
        home = (state.home_lat, state.home_lng)
        view = MapView(state.seed, home, state.lat, state.lng, state.zoom, SIZE[0])
        corner, across = view.place(Spot(0, 0), SIZE[1]), view.place(Spot(100, 100), SIZE[1])
        scale = (across[0] - corner[0]) / 100
        return Spot((share[0] * SIZE[0] - corner[0]) / scale, (share[1] * SIZE[1] - corner[1]) / scale)

    assert after.zoom == before.zoom + 1
    assert spot(before, at).distance(spot(after, (at[0] + 0.1, at[1] - 0.05))) < 1


def test_the_map_has_a_smallest_and_a_largest_scale_and_an_edge() -> None:
    assert play(*[Event("zoom", -1)] * 9)[0].zoom == LEAST_ZOOM
    assert play(*[Event("zoom", 1)] * 9)[0].zoom == MOST_ZOOM
    far, _ = play(*[Event("pinch", SIZE, Pinch(1.0, (0.5, 0.5), (-50, 0)))] * 3)
    assert far.town.spot(far.lat, far.lng).x <= REACH + 1001
    assert play(Event("double_tap", SIZE, (0.5, 0.5)))[0].zoom == 16


@pytest.mark.parametrize(
    ("query", "found"),
    [("cafe anc", ["anchor_cafe"]), ("MUSEUM", ["museum", "art_gallery"]), ("zzz", []), ("", [])],
)
def test_the_search_finds_names_kinds_and_streets(query: str, found: list[str]) -> None:
    state, _ = play(Event("query", value=query))
    assert [place.id for place in state.found()][: len(found)] == found
    assert bool(state.found()) == bool(found)
    street = address(state.town.places["museum"], texts_of("maps", "en-US")).partition(" ")[2]
    state, _ = play(Event("query", value=street))
    assert "museum" in [place.id for place in state.found()]


def test_a_place_that_was_found_is_shown_and_remembered() -> None:
    state, effects = play(Event("search"), Event("query", value="castle"), Event("choose", "castle"))
    assert (state.selected, state.recent, state.zoom) == ("castle", ("castle",), 16)
    castle = state.town.places["castle"]
    assert (state.lat, state.lng) == (castle.lat, castle.lng)
    assert any(isinstance(effect, Finish) for effect in effects)


def test_a_place_is_saved_with_list_and_color_changed_and_removed() -> None:
    state, _ = play(
        Event("place", "castle"),
        Event("sheet", "save"),
        Event("list", "starred"),
        Event("color", "blue"),
        Event("save"),
    )
    entry = state.saved[-1]
    assert (entry.name, entry.list, entry.color, entry.place) == ("Castle", "starred", "blue", "castle")
    assert (entry.lat, entry.lng) == (state.town.places["castle"].lat, state.town.places["castle"].lng)
    changed, _ = play(Event("sheet", "save"), Event("color", "red"), Event("save"), state=state)
    assert [saved.color for saved in changed.saved if saved.place == "castle"] == ["red"]
    removed, effects = play(Event("remove", len(changed.saved) - 1), state=changed)
    assert removed.saved == APP.initial(1, "en-US").saved
    note = next(effect for effect in effects if isinstance(effect, ShowSnackbar))
    assert note.on_action is not None
    assert play(note.on_action, state=removed)[0].saved == changed.saved


def test_directions_ask_for_the_location_and_can_be_turned_round() -> None:
    state, effects = play(Event("place", "castle"), Event("directions"))
    assert (state.routing, state.start, state.end) == (True, "", "castle")
    assert any(isinstance(effect, RequestPermission) for effect in effects)
    swapped, _ = play(Event("swap"), Event("search", "end"), Event("choose", "museum"), state=state)
    assert (swapped.start, swapped.end) == ("castle", "museum")
    back, _ = play(Event("leave"), state=swapped)
    assert (back.routing, back.selected) == (False, "castle")


def test_without_permission_the_location_is_not_shown() -> None:
    moved, _ = play(Event("choose", "castle"))
    refused, effects = play(Event("located", value=False), state=moved)
    assert refused == moved
    assert isinstance(effects[0], ShowToast)
    shown, _ = play(Event("located", value=True), state=moved)
    assert (shown.lat, shown.lng) == (shown.home_lat, shown.home_lng)


@pytest.mark.parametrize(("field", "value"), [("lat", 91.0), ("home_lng", float("nan")), ("zoom", 99.0)])
def test_a_state_with_a_position_that_is_none_is_refused(field: str, value: float) -> None:
    plain = APP.state_to_plain(APP.initial(1, "en-US")) | {field: value}
    with pytest.raises(ValueError, match=f"state.{field} is"):
        APP.state_from_plain(plain)


def test_a_saved_position_outside_the_places_is_on_the_map() -> None:
    state, _ = play()
    home = SavedPlace("Home", state.lat + 0.001, state.lng, "mine", "#123456")
    shown = APP.view(replace(state, saved=(home,)), Context(".MainActivity"))
    assert "description='Home'" in repr(shown)
    assert "Home" in repr(APP.view(replace(state, saved=(home,)), Context(".SavedActivity")))


def test_distances_are_said_as_a_map_says_them() -> None:
    say = texts_of("maps", "en-US")
    assert [distance(meters, say) for meters in (3, 349, 999, 1249)] == ["10 m", "350 m", "1.0 km", "1.2 km"]


def test_the_same_view_is_the_same_picture_and_dark_is_another() -> None:
    state, _ = play()
    home = (state.home_lat, state.home_lng)
    views = [MapView(1, home, *home, 15.0, 90.0, dark) for dark in (False, False, True)]
    light, again, dark = (bytes(rendered("map", view.argument(), 90, 120).tobytes()) for view in views)
    assert light == again != dark


def test_on_a_phone_a_place_is_found_saved_and_reached() -> None:
    with shell_device("maps") as device:
        phone = device.phone
        device.shell("monkey -p com.waymark.maps -c android.intent.category.LAUNCHER 1")
        area = bounds(find(phone, resource_id="map"))
        for action, pointer, y in (
            ("DOWN", 0, 700),
            ("DOWN", 1, 900),
            ("MOVE", 1, 1100),
            ("UP", 1, 1100),
            ("UP", 0, 700),
        ):
            phone.touch(TouchAction[action], pointer, area.center.x, y)
        assert phone.app_state("maps")["zoom"] == 16.0
        tap(phone, resource_id="search_bar")
        device.shell("input text maritime")
        tap(phone, resource_id="suggestion")
        assert find(phone, resource_id="place_name").get("text") == "Maritime Museum"
        assert has(phone, content_desc="Maritime Museum", resource_id="marker", selected="true")
        tap(phone, resource_id="save_place")
        tap(phone, content_desc="Blue")
        tap(phone, resource_id="save")
        assert phone.app_state("maps")["saved"][-1]["color"] == "blue"
        tap(phone, resource_id="directions")
        times = [find(phone, resource_id=f"mode_{mode}").get("content-desc", "") for mode in MODES]
        assert times[0].startswith("On foot, ")
        assert times[1].endswith(" min")
        assert has(phone, text="Arrive at Maritime Museum")


def test_a_pin_is_put_where_the_map_is_held_and_saved_under_a_name() -> None:
    held, _ = play(Event("pin", SIZE, (0.75, 0.5)))
    spot = held.town.spot(held.lat, held.lng)
    place = held.place(held.selected)
    assert place is not None
    assert (round(spot.x), round(spot.y)) == (round(90 / 0.27), 0), "a quarter of the width at this zoom"
    assert (place.kind, place.hours) == ("pin", "")
    assert address(place, texts_of("maps", "en-US")).startswith("Near ")
    saved, _ = play(Event("sheet", "save"), Event("name", value=" Bench "), Event("color", "green"),
                    Event("save"), state=held)  # fmt: skip
    entry = saved.saved[-1]
    assert (entry.name, entry.color, entry.place) == ("Bench", "green", "")
    assert (entry.lat, entry.lng) == (place.lat, place.lng)
    assert saved.name_of(place, "en-US") == "Bench"
    renamed, _ = play(Event("sheet", "save"), Event("name", value=""), Event("save"), state=saved)
    assert [item.name for item in renamed.saved] == [*[item.name for item in held.saved], "Dropped pin"]
    routed, _ = play(Event("directions"), state=saved)
    assert route(routed.town, routed.spot(""), routed.spot(routed.end), "foot") is not None
    assert play(Event("pin", SIZE, (0.5, 0.5)), state=routed)[0] == routed, "the way stays on the map"
    closed, _ = play(Event("close_place"), state=saved)
    assert play(Event("open_saved", len(saved.saved) - 1), state=closed)[0].selected == place.id


def test_a_pin_survives_yaml_and_one_that_is_no_position_is_refused() -> None:
    held, _ = play(Event("pin", SIZE, (0.2, 0.7)))
    plain = APP.state_to_plain(held)
    assert APP.state_from_plain(plain) == held
    assert MapsState(selected="@north,west").place("@north,west") is None
    with pytest.raises(ValueError, match="selected: lat is 95"):
        APP.state_from_plain({**plain, "selected": "@95.0,0.0"})


def test_a_long_touch_on_the_map_puts_a_pin_under_the_finger() -> None:
    with shell_device("maps") as device:
        phone = device.phone
        phone.launch(MapsApp.package)
        area = bounds(find(phone, resource_id="map"))
        at = (area.left + 150, area.top + 420)
        phone.touch(TouchAction.DOWN, 0, *at)
        wait_until(phone, lambda: has(phone, resource_id="place_panel"))
        phone.touch(TouchAction.UP, 0, *at)
        assert find(phone, resource_id="place_name").get("text") == "Dropped pin"
        tap(phone, resource_id="save_place")
        assert find(phone, resource_id="pin_name").get("text") == "Dropped pin"
        tap(phone, resource_id="save")
        assert MapsApp().state_from_plain(phone.app_state("maps")).saved[-1].place == ""
