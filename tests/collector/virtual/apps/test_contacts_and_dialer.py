"""Contacts and the dialer: their screens, their intents, and calls."""

from dataclasses import replace

import pytest

from collector.model.variation.phone_variation import Appearance, PhoneVariation
from collector.virtual.device import VirtualDevice
from collector.virtual.system.phone import Phone
from tests.helpers.phone_driver import bounds, find, has, tap
from tests.helpers.shell import run
from tests.helpers.virtual import profile

ACTION = "android.intent.action."


@pytest.fixture
def device():
    device = VirtualDevice(profile())
    yield device
    device.close()


@pytest.fixture
def sh(device):
    return lambda line: run(device.machine, line)[0]


def digits(device):
    return find(device.phone, resource_id="com.android.dialer:id/digits").get("text")


def test_a_number_is_dialled_and_the_call_ended(device):
    phone = device.phone
    phone.launch("com.android.dialer")
    for key in ("five", "five", "one", "zero"):
        tap(phone, resource_id=f"com.android.dialer:id/{key}")
    tap(phone, content_desc="backspace")
    assert digits(device) == "551"
    tap(phone, content_desc="dial")
    assert phone.services.telephony.calls == {"551": "active"}
    assert phone.focused_window.endswith("com.android.incallui.InCallActivity")
    tap(phone, content_desc="End call")
    assert phone.services.telephony.calls == {}
    assert [(record.number, record.kind) for record in phone.services.telephony.call_log] == [("551", 2)]
    assert digits(device) == ""


def test_intents_dial_and_call(sh, device):
    sh(f"am start -a {ACTION}DIAL -d tel:555%2D0101")
    assert digits(device) == "5550101"
    assert device.phone.services.telephony.calls == {}
    sh(f"input keyevent HOME; am start -a {ACTION}CALL -d tel:5550102")
    assert device.phone.services.telephony.calls == {"5550102": "active"}
    assert sh("cmd waymark emu gsm list") == "outbound to  5550102    : active\nOK\n"
    sh("cmd connectivity airplane-mode enable")
    assert not device.phone.services.telephony.dial("5550103")


def test_a_person_is_searched_called_changed_and_removed(device):
    phone = device.phone
    phone.launch("com.android.contacts")
    tap(phone, text="Search contacts")
    run(device.machine, "input text wei")
    assert not has(phone, text="Ana Costa")
    tap(phone, text="Chen Wei")
    tap(phone, content_desc="Edit contact")
    assert find(phone, resource_id="com.android.contacts:id/phone").get("text") == "5550103"
    tap(phone, resource_id="com.android.contacts:id/name")
    run(device.machine, "input keyevent MOVE_END; input text %sLi")
    tap(phone, text="Save")
    assert has(phone, text="Chen Wei Li")
    tap(phone, text="5550103")
    assert phone.services.telephony.calls == {"5550103": "active"}
    tap(phone, content_desc="End call")
    tap(phone, content_desc="Delete")
    names = [contact["name"] for contact in phone.app_state("contacts")["contacts"]]
    assert (len(names), any("Chen" in name for name in names)) == (9, False)


def test_intents_insert_and_pick(sh, device):
    sh(f"am start -a {ACTION}INSERT -t vnd.android.cursor.dir/contact -e name 'Kim Lee' -e phone 5550199")
    assert find(device.phone, resource_id="com.android.contacts:id/name").get("text") == "Kim Lee"
    tap(device.phone, text="Save")
    last = device.phone.app_state("contacts")["contacts"][-1]
    assert (last["name"], last["phone"]) == ("Kim Lee", "5550199")
    sh(f"input keyevent HOME; am start -a {ACTION}PICK -t vnd.android.cursor.dir/contact")
    assert has(device.phone, text="Choose a contact")
    tap(device.phone, text="Grace Kim")
    assert device.phone.app_state("contacts")["opened"] == 7


def test_a_pad_has_one_at_the_left_where_all_is_mirrored():
    mirrored = PhoneVariation("mirrored", {"all": Appearance.of({"mirrored": True})})
    for phone in (Phone(profile()), Phone(replace(profile(), variation=mirrored))):
        phone.launch("com.android.dialer")
        one, three = (
            bounds(find(phone, resource_id=f"com.android.dialer:id/{key}")) for key in ("one", "three")
        )
        assert one.right < three.left
        phone.close()


def test_past_calls_are_listed_and_a_number_comes_from_the_contacts(sh, device):
    for words in ("call 5551234", "cancel 5551234", "call 5559876", "accept 5559876", "cancel 5559876"):
        sh(f"cmd waymark emu gsm {words}")
    phone = device.phone
    phone.services.telephony.ring("+1 555-0106")
    caller = find(phone, resource_id="com.android.dialer:id/contactgrid_contact_name")
    assert (caller.get("text"), has(phone, text="+1 555-0106")) == ("Fatima Haddad", True)
    tap(phone, content_desc="Decline")
    assert sh("content query --uri content://call_log/calls --projection name --where number='5551234'") == (
        "Row: 0 name=NULL\n"
    )
    phone.launch("com.android.dialer")
    tap(phone, content_desc="Recents")
    listed = find(phone, text="5551234"), find(phone, text="5559876")
    assert bounds(listed[0]).top > bounds(listed[1]).bottom > bounds(find(phone, text="Fatima Haddad")).bottom
    assert has(phone, text=f"Missed · {phone.clock.now:%H:%M}")
    tap(phone, text="5559876")
    assert phone.services.telephony.calls == {"5559876": "active"}
    tap(phone, content_desc="End call")
    sh("input keyevent BACK")
    tap(phone, content_desc="Choose a contact")
    tap(phone, text="Grace Kim")
    assert digits(device) == "5550107"
    sh(f"am start -a {ACTION}VIEW -d content://com.android.contacts/contacts/3")
    assert has(phone, text="Chen Wei")
    rows = sh(
        "content query --uri content://com.android.contacts/data/phones/8 --projection display_name:data1"
    )
    assert rows == "Row: 0 display_name=Chen Wei, data1=5550103\n"


def test_the_shell_adds_changes_and_deletes_people(sh, device):
    uri = "--uri content://com.android.contacts/"
    kind = "mimetype:s:vnd.android.cursor.item/"
    sh(f"content insert {uri}raw_contacts --bind account_type:s: --bind account_name:s:")
    sh(f"content insert {uri}data --bind raw_contact_id:i:11 --bind {kind}name --bind data1:s:'Abe Lee'")
    sh(f"content insert {uri}data --bind raw_contact_id:i:11 --bind {kind}phone_v2 --bind data1:s:5550199")
    device.phone.launch("com.android.contacts")
    assert has(device.phone, text="Abe Lee")
    where = f"mimetype='{kind[11:]}phone_v2' AND contact_id=11"
    sh(f'content update {uri}data --bind data1:s:5550198 --where "{where}"')
    sh(f"content update {uri}contacts/11 --bind starred:i:1")
    listed = f"content query {uri}raw_contacts/11/data --projection display_name:data1"
    assert (
        sh(listed)
        == "Row: 0 display_name=Abe Lee, data1=Abe Lee\nRow: 1 display_name=Abe Lee, data1=5550198\n"
    )
    sh(f"content delete {uri}data/31; content delete {uri}contacts")  # the name; nobody
    assert sh(f"content query {uri}contacts --projection display_name:starred --where _id=11") == (
        "Row: 0 display_name=NULL, starred=1\n"
    )
    assert has(device.phone, text="(No name)")
    sh(f'content delete {uri}raw_contacts --where "_id>1"')
    assert [person["name"] for person in device.phone.app_state("contacts")["contacts"]] == ["Ana Costa"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (
            "contacts --bind starred:i:1",
            "UnsupportedOperationException: Aggregate contacts are created automatically",
        ),
        ("data --bind mimetype:s:x", "IllegalArgumentException: raw_contact_id is required"),
        ("data --bind raw_contact_id:i:1", "IllegalArgumentException: mimetype is required"),
        ("data/phones --bind data1:s:1", "UnsupportedOperationException"),
    ],
)
def test_what_the_contacts_refuse(sh, words, reason):
    assert f"java.lang.{reason}\n" in sh(f"content insert --uri content://com.android.contacts/{words} 2>&1")
