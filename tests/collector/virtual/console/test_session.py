"""The dialogue with the console, byte by byte as the sources of the Android emulator have it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import av
import pytest
from PIL import Image

from collector.host.sockets import free_port
from collector.model.phone.touch import TouchAction
from collector.virtual.console.emulator import Emulator
from collector.virtual.console.redirections import Redirections
from collector.virtual.console.session import ConsoleSession
from collector.virtual.daemon.sockets import DeviceSockets, pipe
from collector.virtual.system.phone import Phone
from tests.helpers.virtual import profile

pytestmark = pytest.mark.shared_threads("phone-ticker")
SECONDS = 30
READY = b"Android Console: type 'help' for a list of commands\r\nOK\r\n"


@pytest.fixture(scope="module")
def phone() -> Iterator[Phone]:
    phone = Phone(profile("maps", serial="Pixel_8"))
    yield phone
    phone.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / ".emulator_console_auth_token"
    path.write_text("s3cret\n", "ascii")
    return path


@pytest.fixture
def talk(phone: Phone, path: Path) -> ConsoleSession:
    """A client that has authenticated."""
    session = ConsoleSession(Emulator(phone), path)
    session.greet()
    assert session.receive(b"auth s3cret\r\n") == READY
    return session


def test_a_client_authenticates_and_quits(phone, path):
    session = ConsoleSession(Emulator(phone), path)
    assert session.greet() == (
        b"Android Console: Authentication required\r\n"
        b"Android Console: type 'auth <auth_token>' to authenticate\r\n"
        b"Android Console: you can find your <auth_token> in \r\n'" + bytes(path) + b"'\r\nOK\r\n"
    )
    assert session.receive(b"gsm list\r\n") == b"KO: unknown command, try 'help'\r\n"
    assert session.receive(b"avd name\n") == b"Pixel_8\r\nOK\r\n", "asked by older versions of Android Studio"
    assert session.receive(b"auth\r\n") == b"KO: missing authentication token\r\n"
    wrong = b"KO: authentication token does not match ~/.emulator_console_auth_token\r\n"
    assert session.receive(b"auth s3cre\nauth s3cretly\n") == wrong * 2
    assert session.receive(b"help\n") == (
        b"Android console commands:\r\n    help|h|?\r\n    help-verbose\r\n    ping\r\n    avd\r\n"
        b"    auth\r\n    quit|exit\r\n\r\nTry 'help-verbose' for more description\r\n"
        b"Try 'help <command>' for command-specific help\r\nOK\r\n"
    )
    assert session.receive(b"auth s3c") == b""
    assert session.receive(b"ret\r\nping\r\nquit\r\nping\r\n") == READY + b"I am alive!\r\nOK\r\n"
    assert session.is_finished


def test_a_file_decides_about_the_token(phone, tmp_path):
    path = tmp_path / "token"
    assert ConsoleSession(Emulator(phone), path).greet().startswith(b"Android Console: Authentication req")
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(path.read_text("ascii")) == 16
    path.write_text(" \n")
    session = ConsoleSession(Emulator(phone), path)
    assert session.greet() == READY, "an empty one asks nobody"
    assert session.receive(b"avd status\n") == b"virtual device is running\r\nOK\r\n"
    session = ConsoleSession(Emulator(phone), tmp_path)
    assert (session.greet(), session.is_finished) == (b"", True)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"GET / HTTP/1.1", b"KO: Forbidden HTTP request. Aborting\r\n"),
        (b"ping \xff", b"KO: Forbidden binary request. Aborting\r\n"),
    ],
)
def test_web_pages_and_binaries_are_hung_up_on(talk, line, answer):
    assert talk.receive(line + b"\r\nping\r\n") == answer
    assert talk.is_finished


def test_a_line_without_an_end_is_forgotten(talk):
    assert talk.receive(b"x" * 4095 + b"ping\n") == b"I am alive!\r\nOK\r\n"


def test_it_is_killed_once_it_has_said_so(phone, path):
    emulator = Emulator(phone)
    session = ConsoleSession(emulator, path)
    session.greet()
    assert session.receive(b"auth s3cret\nkill\n") == READY + b"OK: killing emulator, bye bye\r\nOK\r\n"
    assert session.is_finished
    assert emulator.is_killed


def ask(session: ConsoleSession, line: str) -> str:
    """The answer with plain ends of lines, without its last."""
    answer = session.receive(line.encode() + b"\n").decode()
    assert "\n" not in answer.replace("\r\n", "")
    return answer.replace("\r\n", "\n").removesuffix("\n")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("geo", "KO: missing sub-command"),
        ("geo nope", "KO:  bad sub-command"),
        ("geo fix north", "KO: argument 'north' is not a number"),
        ("geo fix 1", "KO: not enough arguments: see 'help geo fix' for details"),
        ("geo fix 181 0", "KO: invalid longitude value. Should be in [-180,+180] range"),
        ("geo fix 0 -91", "KO: invalid latitude value. Should be in [-90,+90] range"),
        ("geo fix 0 0 0 13", "KO: invalid number of satellites. Must be an integer between 1 and 12"),
        ("gsm accept 5", "KO: no current call to/from number '5'"),
        ("gsm busy 5", "KO: no current outbound call to number '5' (call (nil))"),
        ("gsm data maybe", "KO: bad GSM data state name, try 'help gsm data' for list of valid values"),
        ("gsm signal 32", "KO: invalid RSSI - must be 0..31 or 99"),
        ("gsm signal 31 8", "KO: invalid BER - must be 0..7 or 99"),
        ("gsm signal", "KO: not enough arguments: see 'help gsm signal' for details"),
        ("gsm signal-profile 5", "KO: invalid signal strength - must be 0..4"),
        ("gsm signal-profile x", "KO: argument 'x' is not a number"),
        ("sms send 5551 \\q", "KO: badly formatted text"),
        ("sms send 55-51 hi", "KO: bad phone number format, must be [+](0-9)*"),
        ("power health ill", 'KO: Usage: "health unknown|good|overheat|dead|overvoltage|failure"'),
        ("power status", 'KO: Usage: "status unknown|charging|discharging|not-charging|full"'),
        ("power present x", 'KO: Usage: "present true" or "present false"'),
        ("network delay", "KO: missing <delay> argument, see 'help network delay'"),
        ("sensor get", 'KO: Usage: "get <sensorname>"'),
        ("sensor get taste", "KO: unknown sensor name: taste, run 'sensor status' to get available sensors."),
        ("sensor set hinge-angle0 1", "KO: 'hinge-angle0' sensor is disabled."),
        ("sensor set light", 'KO: Usage: "set <sensorname> <value-a>[:<value-b>[:<value-c>]]"'),
        ("sensor set light x", 'KO: Usage: "set <sensorname> <value-a>[:<value-b>[:<value-c>]]"'),
        ("finger touch", "KO: missing fingerid"),
        ("finger touch thumb", "KO: invalid fingerid"),
        ("finger touch 0x1", "OK"),
        ("finger remove", "OK"),
        ("avd start", "KO: virtual device already running"),
        ("avd snapshot save", "KO: Argument missing, try 'avd snapshot save <name>'"),
        ("avd snapshot del nope", "OK"),
        ("avd id", "Pixel_8\nOK"),
        ("avd path", "NO_AVD_INFO\nOK"),
        ("avd snapshotpath", "KO: snapshot name required"),
        ("avd snapshotpath x", "NO_AVD_INFO\nOK"),
        ("avd snapshot remap", "KO: Argument missing, try 'avd snapshot remap <auto-save>'"),
        ("avd hostmicon", "OK"),
        ("qemu monitor", "KO: QEMU support no longer available"),
        ("debug", "KO: argument missing, try 'debug <tags>'"),
        ("setUiTheme", "KO: argument missing, try 'setUiTheme <dark|light>'"),
        ("setUiTheme red", "KO: Failed to set UI theme to red, try 'setUiTheme <dark|light>'"),
        ("startExtendedWindow", "OK"),
        ("geo nmea", "KO: NMEA sentence missing, try 'help geo nmea'"),
        ("geo gnss", "KO: GNSS sentence missing, try 'help geo gnss'"),
        ("gsm hold", "KO: missing argument, try 'gsm hold <phonenumber>'"),
        ("gsm hold 5", "KO: no current call to/from number '5'"),
        ("gsm meter", "KO: missing argument, try 'gsm meter <on|off>'"),
        ("gsm meter x", "KO: bad GSM meter state name, try 'help gsm meter' for list of valid values"),
        ("gsm meter off", "OK"),
        ("network capture start", "KO: missing <file> argument, see 'help network capture start'"),
        ("event mouse", "KO: argument missing, try 'event mouse <x> <y> <device> <buttonstate>'"),
        ("event mouse 1 2 3", "KO: Invalid arguments. Make sure you provide 4 integers."),
        ("event text", "KO: argument missing, try 'event text <message>'"),
        ("help nope", "KO: unknown command"),
        ("help finger touch", "'touch <fingerid>' touch finger print sensor with <fingerid>.\nOK"),
        ("?  ping", "check if the emulator is alive\nOK"),
    ],
)
def test_what_it_answers(talk, line, answer):
    found = ask(talk, line)
    assert found == answer or (found.endswith(f"\n{answer}") and answer.startswith("KO"))


def test_help_of_a_group_lists_its_commands(talk):
    assert ask(talk, "help finger") == (
        "allows you to touch the emulator finger print sensor\n\navailable sub-commands:\n"
        "   finger touch            touch finger print sensor with <fingerid>\n"
        "   finger remove           remove finger from the fingerprint sensor\n\nOK"
    )
    assert ask(talk, "finger").endswith("   remove           remove finger from the fingerprint sensor\n\n"
                                        "KO: missing sub-command")  # fmt: skip
    assert "\n    rotate           rotate the screen clockwise by 90 degrees\n" in ask(talk, "help-verbose")


def test_the_battery_is_shown_and_set(talk, phone):
    before = ask(talk, "power display")
    assert before == "AC: offline\nstatus: Discharging\nhealth: Good\npresent: true\ncapacity: 84\nOK"
    for line in ("ac ON", "capacity 12", "health dead", "status not-charging", "present false"):
        assert ask(talk, f"power {line}") == "OK"
    assert ask(talk, "power display") == (
        "AC: online\nstatus: Not charging\nhealth: Dead\npresent: false\ncapacity: 12\nOK"
    )
    assert (phone.battery.level, phone.battery.charging) == (12, True)


def test_the_network_has_numbers(talk):
    assert ask(talk, "network status") == (
        "Current network status:\n  download speed:          0 bits/s (0.0 KB/s)\n"
        "  upload speed:            0 bits/s (0.0 KB/s)\n  minimum latency:  0 ms\n"
        "  maximum latency:  0 ms\nOK"
    )
    assert [ask(talk, f"network {line}") for line in ("speed 14.4:80", "delay gsm")] == ["OK", "OK"]
    assert ask(talk, "network status").splitlines()[1:5] == [
        "  download speed:      80000 bits/s (9.8 KB/s)",
        "  upload speed:        14400 bits/s (1.8 KB/s)",
        "  minimum latency:  150 ms",
        "  maximum latency:  550 ms",
    ]
    assert ask(talk, "gsm data off") == "OK"
    assert ask(talk, "gsm status") == "gsm voice state: home\ngsm data state:  unregistered\nOK"


def test_a_phone_that_is_turned_feels_it_and_gravity_turns_it(talk, phone):
    assert ask(talk, "sensor get acceleration") == "acceleration = 0:9.81:0\nOK"
    assert ask(talk, "rotate") == "OK"
    assert phone.rotation == 3
    assert ask(talk, "sensor get acceleration") == "acceleration = -9.81:0:0\nOK"
    assert ask(talk, "sensor set acceleration 9.8:0") == "OK"
    assert phone.rotation == 1
    assert ask(talk, "sensor get acceleration") == "acceleration = 9.8:0:0\nOK"
    assert ask(talk, "sensor set acceleration 0:0:9.81") == "OK"
    assert phone.rotation == 1, "on a table it stays as it was"
    phone.settings.put("system", "accelerometer_rotation", "0")
    assert ask(talk, "sensor set acceleration 0:9.81") == "OK"
    assert phone.rotation == 0, "user_rotation"
    phone.settings.put("system", "accelerometer_rotation", "1")
    assert ask(talk, "sensor set light ") == 'KO: Usage: "set <sensorname> <value-a>[:<value-b>[:<value-c>]]"'
    assert ask(talk, "sensor set light 120.5") == "OK"
    assert ask(talk, "sensor get light") == "light = 120.5\nOK"
    listed = ask(talk, "sensor status").splitlines()
    assert listed[10:12] == ["gyroscope-uncalibrated: enabled.", "hinge-angle0: disabled."]


def test_snapshots_are_listed_as_qemu_lists_them(talk, phone):
    assert ask(talk, "avd snapshot list") == "There is no snapshot available.\nOK"
    assert ask(talk, "avd snapshot get") == "(null)\nOK"
    phone.settings.put("global", "waymark_test", "1")
    assert ask(talk, "avd snapshot save clean") == "OK"
    phone.settings.put("global", "waymark_test", "2")
    title, head, row, end = ask(talk, "avd snapshot list").splitlines()
    assert title == "List of snapshots present on all disks:"
    assert head == "ID        TAG                 VM SIZE                DATE       VM CLOCK"
    assert row.startswith("--        clean                     0 2026-11-20 ")
    assert (len(row), end) == (len(head), "OK")
    assert ask(talk, "avd snapshot load dirty") == (
        "KO: Device 'cache' does not have the requested snapshot 'dirty'\n"
        "KO: Snapshot load failure: snapshot doesn't exist"
    )
    assert ask(talk, "avd snapshot load clean") == "OK"
    assert phone.settings.get("global", "waymark_test") == "1"
    assert ask(talk, "avd snapshot get") == "clean\nOK"
    assert ask(talk, "avd snapshot del clean") == "OK"
    assert ask(talk, "avd snapshot list") == "There is no snapshot available.\nOK"


def test_a_message_has_escapes(talk, phone):
    assert ask(talk, "sms send +5551 one\\ntwo \\x41\\u4f60\\\\ \\ud83d\\ude00") == "OK"
    assert phone.services.telephony.messages[0].body == "one\ntwo A你\\ 😀"


def test_a_fix_moves_the_person_on_the_map(talk, phone):
    state = phone.app_state("maps")
    lat, lng = state["home_lat"] + 0.002, state["home_lng"] - 0.001
    assert ask(talk, f"geo fix {lng} {lat} 12 7 10") == "OK"
    assert phone.app_state("maps")["here"] == f"@{lat:.6f},{lng:.6f}"
    phone.services.radios.set_location(False)
    assert ask(talk, "geo fix 1 2") == "OK"
    assert phone.app_state("maps")["here"] == f"@{lat:.6f},{lng:.6f}", "nobody is told while location is off"
    phone.services.radios.set_location(True)
    assert ask(talk, "geo fix 0 90") == "OK"
    assert phone.app_state("maps")["here"] == "@85.000000,0.000000", "the map has no poles"


def test_ports_of_the_computer_lead_to_the_phone(phone, path):
    ours, theirs = pipe()
    emulator = Emulator(phone, redirections=Redirections(lambda address: {"tcp:80": ours}[address]))
    session = ConsoleSession(emulator, path)
    session.receive(b"auth s3cret\r\n")
    port = free_port()
    assert ask(session, "redir list") == "no active redirections\nOK"
    assert ask(session, f"redir add tcp:{port}:80") == "OK"
    assert ask(session, "redir list") == f"tcp:{port:<5} => 80   \nOK"
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(b"hello")
        assert theirs.read() == b"hello"
        theirs.write(b"good day")
        assert client.recv(100) == b"good day"
    again = "KO: host port already active, use 'redir del' to remove first"
    assert ask(session, f"redir add tcp:{port}:81") == again
    assert ask(session, "redir add 5000") == "KO: bad redirection format, try (tcp|udp):hostport:guestport"
    assert ask(session, f"redir del tcp:{port}") == "OK"
    assert ask(session, f"redir del tcp:{port}") == f"KO: can't remove unknown redirection (tcp:{port})"
    emulator.redirections.close()


def test_datagrams_of_the_computer_reach_the_phone_and_are_answered(phone, path):
    sockets = DeviceSockets()
    emulator = Emulator(phone, redirections=Redirections(sockets.connect))
    session = ConsoleSession(emulator, path)
    session.receive(b"auth s3cret\r\n")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.bind(("127.0.0.1", 0))
        client.settimeout(SECONDS)
        port = free_port()
        assert ask(session, f"redir add udp:{port}:53") == "OK"
        assert ask(session, "redir list") == f"udp:{port:<5} => 53   \nOK"
        listener = sockets.listen("udp:53")
        for word in (b"one", b"two"):
            client.sendto(word, ("127.0.0.1", port))
        inside = listener.accept(SECONDS)
        assert [inside.read(), inside.read()] == [b"one", b"two"]
        for word in (b"1", b"2"):
            inside.write(word)
        assert [client.recv(100), client.recv(100)] == [b"1", b"2"]
        assert ask(session, f"redir add udp:{port}:54").startswith("KO: host port already active")
    assert ask(session, f"redir del udp:{port}") == "OK"
    assert ask(session, "redir list") == "no active redirections\nOK"


def test_the_console_takes_pictures_and_films(talk, tmp_path):
    assert ask(talk, f"screenrecord screenshot {tmp_path}") == "OK"
    (picture,) = tmp_path.glob("Screenshot_*.png")
    with Image.open(picture) as opened:
        assert opened.size == (720, 1600)
    assert ask(talk, f"screenrecord start --fps 2 --size 60x120 {tmp_path}/film.webm") == "OK"
    assert ask(talk, f"screenrecord start {tmp_path}/other.webm") == "KO: Recording has already started"
    assert ask(talk, "screenrecord stop") == "OK"
    with av.open(str(tmp_path / "film.webm")) as film:
        frame = next(film.decode(video=0))
    assert (frame.width, frame.height) == (60, 120)
    assert ask(talk, "screenrecord stop") == "KO: No recording has been started."
    assert ask(talk, "screenrecord screenshot /nowhere/at/all.png") == "", "a failure is not answered"


def test_a_film_is_refused_in_the_emulators_words(talk):
    for words, said in (
        ("", "KO: Must provide an output filename\r\n"),
        ("film.mp4", "KO: file must have a .webm extension\r\n"),
        ("--size 9x a.webm", "KO: Invalid size '9x', must be width x height\r\n"),
        ("--size 0x9 a.webm", "KO: Invalid size 0x9, width and height may not be zero\r\n"),
        ("--bit-rate 9 a.webm", "KO: Bit rate 9bps outside acceptable range [100000,25000000]\r\n"),
        ("--bit-rate fast a.webm", ""),
        ("--time-limit=181 a.webm", "Time limit 181s outside acceptable range [1,180]\r\n"),
        ("--fps 0 a.webm", "FPS 0s outside acceptable range [1,60]\r\n"),
        ("--wide a.webm", "KO: Invalid arguments (see help screenrecord start).\r\n"),
        ("--fps 9", "KO: Must specify output file (see help screenrecord start).\r\n"),
        ("/nowhere/at/all.webm", "KO: Error while trying to start recording\r\n"),
    ):
        assert talk.receive(f"screenrecord start {words}\n".encode()) == said.encode(), words


def test_some_commands_are_not_answered_and_the_next_one_is(talk, tmp_path):
    silent = b"fold\nunfold\navd snapshot remap 1\n"
    assert talk.receive(silent + b"ping\n") == b"I am alive!\r\nOK\r\n"
    # This one forgets the end of its line.
    failed = talk.receive(f"network capture start {tmp_path}\nping\n".encode())
    assert failed == b"KO: could not start capture: Is a directoryI am alive!\r\nOK\r\n"
    assert ask(talk, f"network capture start {tmp_path}/packets.pcap") == "OK"
    assert ask(talk, "network capture stop") == "OK"
    assert (tmp_path / "packets.pcap").read_bytes()[:4] == b"\xd4\xc3\xb2\xa1"


def test_one_that_crashes_says_no_ok(phone, path):
    emulator = Emulator(phone)
    session = ConsoleSession(emulator, path)
    session.receive(b"auth s3cret\r\n")
    assert session.receive(b"crash\nping\n") == b"OK: crashing emulator, bye bye\r\n"
    assert (session.is_finished, emulator.is_killed) == (True, True)


def test_a_pointer_presses_what_lies_there(talk, phone):
    touches: list[tuple[str, float, float]] = []
    pressed = phone.touch

    def touch(action: TouchAction, pointer: int, x: float, y: float) -> None:
        touches.append((action.name, x, y))
        pressed(action, pointer, x, y)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(phone, "touch", touch)
        for words in ("9 9 0 0", "10 20 0 1", "11 21 0 1", "12 22 0 0", "12 22 0 0", "5 5 1 1"):
            assert ask(talk, f"event mouse {words}") == "OK"
    assert touches == [("DOWN", 10, 20), ("MOVE", 11, 21), ("UP", 12, 22)]


def test_a_call_is_put_on_hold_and_taken_up_again(talk):
    for line, how in (("gsm call 77", "incoming"), ("gsm hold 77", "held"), ("gsm accept 77", "active")):
        assert ask(talk, line) == "OK"
        assert ask(talk, "gsm list") == f"inbound from 77         : {how}\nOK"
    assert ask(talk, "gsm cancel 77") == "OK"


def test_sentences_of_a_gps_modem_are_fixes(talk, phone):
    sentence = "$GPGGA,123519,4807.038,N,01131.000,W,1,08,0.9,545.4,M,46.9,M,,*47"
    assert ask(talk, f"geo nmea {sentence}") == "OK"
    fix = phone.services.location.gps
    assert (round(fix.latitude, 4), round(fix.longitude, 4)) == (48.1173, -11.5167)
    assert ask(talk, "geo nmea $GPRMC,123519,A,3400.0,S,01100.0,E,022.4,084.4,230394,003.1,W*6A") == "OK"
    assert (phone.services.location.gps.latitude, phone.services.location.gps.longitude) == (-34.0, 11.0)
    for other in ("$GPGSV,1", "$GPGGA", "$GPGGA,1,x,N,1,E", "hello"):
        assert ask(talk, f"geo nmea {other}") == "OK"
    assert phone.services.location.gps.latitude == -34.0
    assert ask(talk, "geo gnss 1,2") == "OK: sending 1,2\nOK"


def test_cdma_settings_are_kept(talk, phone):
    assert ask(talk, "cdma ssource nv") == "OK"
    assert phone.services.telephony.network("cdma-source") == "nv"
    assert ask(talk, "cdma ssource sim") == "KO: Don't know source sim"
    assert ask(talk, "cdma prl_version") == "KO: missing argument, try 'cdma prl_version <version>'"
    assert ask(talk, "cdma prl_version 3") == "OK"
