"""Camera, gallery, files and the share sheet: pictures are files, and what one app gives another gets."""

import io

import pytest
from PIL import Image

from collector.virtual.apps import make_apps
from collector.virtual.device import VirtualDevice
from collector.virtual.ui.app import Activity
from collector.virtual.ui.shared_files import SHARED, SharedFile, SharedStorage, file_at, is_type
from tests.helpers.app_walk import AppWalk
from tests.helpers.phone_driver import find, has, tap
from tests.helpers.shell import run
from tests.helpers.virtual import profile

ACTION = "android.intent.action."
CAMERA, GALLERY, FILES = "com.android.camera2", "com.android.gallery3d", "com.android.documentsui"
FOLDER = f"{SHARED}/DCIM/Camera"


@pytest.fixture
def device():
    device = VirtualDevice(profile())
    yield device
    device.close()


@pytest.fixture
def sh(device):
    return lambda line: run(device.machine, line)[0]


def touch(device, package, name):
    tap(device.phone, resource_id=f"{package}:id/{name}")


def front(device):
    return device.phone.focused.short


def take(device, count=1):
    device.phone.launch(CAMERA)
    for _picture in range(count):
        touch(device, CAMERA, "shutter_button")


def test_the_shutter_writes_a_jpeg_with_exif_that_all_see(device, sh):
    take(device)
    (name,) = sh("ls /sdcard/DCIM/Camera").split()
    picture = Image.open(io.BytesIO(device.machine.files.read(f"{FOLDER}/{name}")))
    about = picture.getexif()
    assert (picture.format, picture.size) == ("JPEG", (1200, 1600))
    assert (about[0x0110], about[0x0132]) == (device.phone.profile.model, about.get_ifd(0x8769)[0x9003])
    assert name == f"IMG_{about[0x0132].replace(':', '').replace(' ', '_')}.jpg"
    row = sh("content query --uri content://media/external/images/media --projection _display_name:mime_type")
    assert row == f"Row: 0 _display_name={name}, mime_type=image/jpeg\n"
    device.phone.set_rotation(1)
    touch(device, CAMERA, "camera_toggle_button")
    touch(device, CAMERA, "shutter_button")
    last = max(sh("ls /sdcard/DCIM/Camera").split())
    assert Image.open(io.BytesIO(device.machine.files.read(f"{FOLDER}/{last}"))).size == (1600, 1200)


def test_a_picture_is_written_where_another_app_wants_it(device, sh):
    capture = "am start -a android.media.action.IMAGE_CAPTURE --eu output"
    for wanted, written in (("/data/local/tmp/a.jpg", ""), ("/sdcard/Pictures/a.jpg", "a.jpg\n")):
        sh(f"{capture} file://{wanted}")
        touch(device, CAMERA, "shutter_button")
        touch(device, CAMERA, "done_button")
        assert (front(device).startswith(CAMERA), sh("ls /sdcard/Pictures")) == (not written, written)
        sh("input keyevent BACK")
    assert sh("ls /sdcard/DCIM/Camera") == ""
    assert "exception saving result to URI: file:///data/local/tmp/a.jpg" in sh(
        "logcat -d -s CAM_PhotoModule"
    )


def test_a_full_storage_takes_no_picture_and_says_so(device, sh):
    device.machine.files.full = True
    take(device)
    assert sh("ls /sdcard/DCIM/Camera") == ""
    assert "No space left on device" in sh("logcat -d -s CAM_MediaSaverService")


def test_the_gallery_shows_opens_and_deletes_what_is_in_the_storage(device, sh):
    device.phone.launch(GALLERY)
    assert has(device.phone, text="No photos yet")
    take(device)
    tap(device.phone, content_desc="Most recent photo")
    assert front(device) == f"{GALLERY}/.app.PhotoActivity"
    sh("input keyevent BACK; input keyevent HOME")
    device.phone.launch(GALLERY)
    shown = device.phone.capture().rgba
    sh("echo none > /sdcard/Pictures/none.png")  # the screen follows the files
    assert (device.phone.capture().rgba != shown).any()
    sh("rm /sdcard/Pictures/none.png")
    touch(device, GALLERY, "thumbnail")
    touch(device, GALLERY, "action_info")
    assert find(device.phone, resource_id=f"{GALLERY}:id/path").get("text").startswith(FOLDER)
    sh("input keyevent BACK")
    touch(device, GALLERY, "action_delete")
    tap(device.phone, resource_id=f"{GALLERY}:id/confirm_delete")
    assert sh("ls /sdcard/DCIM/Camera") == ""
    assert has(device.phone, text="No photos yet")


def test_a_picture_is_shared_with_the_app_that_the_person_chooses(device, sh):
    take(device)
    tap(device.phone, content_desc="Most recent photo")
    touch(device, GALLERY, "action_share")
    assert front(device) == "com.android.intentresolver/.ChooserActivity"
    assert not has(device.phone, text="To-do")
    tap(device.phone, text="Messenger")
    tap(device.phone, text="Ana Duarte")
    sent = device.phone.app_state("messenger")["chats"]["ana"][-1]
    listed = sh("content query --uri content://media/external/images/media --projection _id")
    assert listed == f"Row: 0 _id={sent['picture'].rpartition('/')[2]}\n"
    assert has(device.phone, resource_id="com.waymark.messenger:id/message_picture")


def test_before_android_14_the_share_sheet_is_a_part_of_the_framework():
    device = VirtualDevice(profile(android="13", sdk=33))
    run(device.machine, f"am start -a {ACTION}SEND -t text/plain --es android.intent.extra.TEXT 'Buy milk'")
    assert device.phone.focused_window == "android/com.android.internal.app.ResolverActivity"
    listed = run(device.machine, "pm list packages -f -U android | grep '=android '")[0]
    assert listed == "package:/system/framework/framework-res.apk=android uid:1000\n"
    assert "intentresolver" not in run(device.machine, "pm list packages")[0]
    tap(device.phone, text="To-do")
    assert find(device.phone, text="Buy milk").get("class") == "android.widget.EditText"
    device.close()


def test_a_text_goes_to_the_app_that_the_person_chooses(device, sh):
    sent = f"am start -a {ACTION}SEND -t text/plain --es android.intent.extra.TEXT 'Buy milk'"
    assert "typ=text/plain" in sh(sent)
    assert front(device) == "com.android.intentresolver/.ResolverActivity"
    tap(device.phone, text="To-do")
    assert find(device.phone, text="Buy milk").get("class") == "android.widget.EditText"
    sh(f"input keyevent HOME; {sent} -p com.waymark.messenger")
    assert front(device) == "com.waymark.messenger/.ShareActivity"
    assert "unable to resolve" in run(device.machine, f"am start -a {ACTION}SEND -t audio/ogg")[1]


def test_an_app_that_asks_for_a_picture_gets_the_one_that_was_picked_or_taken(device, sh):
    take(device)
    sh(f"input keyevent HOME; am start -a {ACTION}SENDTO -d sms:+351912000101")
    touch(device, "com.waymark.messenger", "more")
    tap(device.phone, text="Send a photo")
    assert front(device) == f"{GALLERY}/.app.DialogPicker"
    sh("input keyevent BACK")
    before = device.phone.app_state("messenger")["chats"]["ana"]
    touch(device, "com.waymark.messenger", "more")
    tap(device.phone, text="Send a photo")
    touch(device, GALLERY, "thumbnail")
    touch(device, "com.waymark.messenger", "more")
    tap(device.phone, text="Take a photo")
    touch(device, CAMERA, "shutter_button")
    touch(device, CAMERA, "retake_button")
    touch(device, CAMERA, "shutter_button")
    touch(device, CAMERA, "done_button")
    sent = device.phone.app_state("messenger")["chats"]["ana"][len(before) :]
    assert len({message["picture"] for message in sent if message["me"]}) == 2
    assert len(sh("ls /sdcard/DCIM/Camera").split()) == 2


def test_files_are_browsed_opened_chosen_and_deleted(device, sh):
    sh("mkdir /sdcard/Documents/Plans; echo 'Monday: water the plants' > /sdcard/Documents/Plans/week.txt")
    phone = device.phone
    phone.launch(FILES)
    for name in ("Documents", "Plans", "week.txt"):
        tap(phone, text=name)
    assert has(phone, text="Monday: water the plants\n")
    sh("input keyevent BACK; rm -r /sdcard/Documents/Plans/week.txt")
    assert has(phone, text="No items")
    sh("input keyevent BACK; echo 1 > /sdcard/Documents/odd.bin")
    tap(phone, text="odd.bin")
    assert has(phone, text="No app can open this file")
    row = find(phone, text="odd.bin")
    x, y = (int(row.get("bounds").strip("[").partition("]")[0].split(",")[place]) + 10 for place in (0, 1))
    sh(f"input swipe {x} {y} {x} {y} 900")
    assert has(phone, text="1 selected")
    touch(device, FILES, "action_menu_delete")
    tap(phone, resource_id=f"{FILES}:id/confirm_delete")
    touch(device, FILES, "option_menu_create_dir")
    sh("input text Receipts; input keyevent ENTER")
    assert sorted(sh("ls /sdcard/Documents").split()) == ["Plans", "Receipts"]
    sh(f"input keyevent HOME; am start -a {ACTION}GET_CONTENT -t image/png; echo 2 > /sdcard/a.png")
    assert front(device) == f"{FILES}/.picker.PickActivity"
    assert find(phone, text="Documents").get("enabled") == "true"


def test_addresses_of_files_and_types():
    file = SharedFile(f"{FOLDER}/a b.jpg", 7)
    for uri in (
        file.media_uri,
        file.document_uri,
        f"file://{FOLDER}/a%20b.jpg",
        "file:///sdcard/DCIM/Camera/a b.jpg",
    ):
        assert file_at((file,), uri) is file
    assert file_at((file,), "content://media/external/images/media/8") is None
    assert [is_type("image/png", kind) for kind in ("image/*", "*/*", "image/png", "text/*")] == [
        True
    ] * 3 + [False]
    assert not is_type("", "*/*")
    with pytest.raises(OSError, match="No space left"):
        SharedStorage().write("/a", b"")
    gallery = next(app for app in make_apps() if app.name == "gallery")
    typed = Activity(".A", ("SEND",), ("http",), ("text/plain",))
    asked = (("", "text/plain"), ("http://a", ""), ("", ""), ("", "image/png"))
    taken = [gallery.answers(typed, "SEND", (), data, kind) for data, kind in asked]
    assert taken == [True, True, False, False]


@pytest.mark.parametrize("name", ["camera", "files", "gallery"])
def test_random_use_raises_nothing(name):
    walk = AppWalk(next(app for app in make_apps() if app.name == name), 7, "zh-CN", landscape=True)
    for number in range(60):
        walk.step()
        if number % 12 == 0:
            assert walk.unnamed() == []
            assert walk.restored()
