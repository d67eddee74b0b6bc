package com.example.adbsmarttest;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.content.ComponentName;
import android.content.ContentResolver;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.content.pm.ProviderInfo;
import android.database.Cursor;
import android.net.Uri;
import android.os.Binder;
import android.os.Build;
import android.provider.Settings;

import org.json.JSONObject;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;
import org.robolectric.shadows.ShadowBinder;
import org.robolectric.shadows.ShadowLog;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;

/** What a computer reads: the version, answers, open dialogs and grants; and who may not. */
@RunWith(RobolectricTestRunner.class)
public final class ProviderTest {
    private static final int ANOTHER_APP = 10999;
    private static final Uri ANSWERS = Uri.parse("content://" + Contract.AUTHORITY + "/answers");
    private Phone phone;
    private ContentResolver resolver;

    @Before
    public void setUp() {
        phone = new Phone();
        resolver = phone.application.getContentResolver();
    }

    @After
    public void tearDown() {
        ShadowBinder.reset();
        phone.end();
    }

    private void answer(String dialog) throws Exception {
        phone.start(
                ContractCase.intent(
                        "StorageWarningActivity", new JSONObject().put("param_dialog", dialog)));
        phone.touch("storage_deny_button");
    }

    private List<String> file() throws Exception {
        File file = new File(phone.application.getExternalFilesDir(null), "answers.jsonl");
        return Files.readAllLines(file.toPath(), StandardCharsets.UTF_8);
    }

    @Test
    public void itSaysItsVersion() {
        assertEquals(Arrays.asList(Arrays.asList("1", "2.0", "" + Build.VERSION.SDK_INT)), phone.rows("version"));
    }

    @Test
    public void logAndFileSayTheAnswerOfTheProvider() throws Exception {
        answer("d");
        List<String> row = phone.rows("answers").get(0);
        JSONObject line = new JSONObject(file().get(0));
        JSONObject logged = new JSONObject(ShadowLog.getLogsForTag(Contract.ANSWER_TAG).get(0).msg);
        for (int index = 0; index < Contract.ANSWER_COLUMNS.length; index++) {
            assertEquals(row.get(index), line.getString(Contract.ANSWER_COLUMNS[index]));
            assertEquals(row.get(index), logged.getString(Contract.ANSWER_COLUMNS[index]));
        }
        assertEquals(Contract.ANSWER_COLUMNS.length, line.length());
    }

    @Test
    public void theEventIsLoggedBeforeTheAnswer() throws Exception {
        answer("d");
        int event = -1;
        int answer = -1;
        List<ShadowLog.LogItem> lines = ShadowLog.getLogs();
        for (int index = 0; index < lines.size(); index++) {
            event = lines.get(index).tag.equals(Contract.EVENT_TAG) ? index : event;
            answer = lines.get(index).tag.equals(Contract.ANSWER_TAG) ? index : answer;
        }
        assertTrue(event >= 0 && event < answer);
    }

    @Test
    public void deletedAnswersAreGoneEverywhere() throws Exception {
        answer("a");
        answer("b");
        assertEquals(2, resolver.delete(ANSWERS, null, null));
        assertEquals(0, phone.rows("answers").size());
        assertEquals(0, file().size());
        answer("c");
        assertEquals("c", phone.rows("answers").get(0).get(0));
    }

    @Test
    public void onlyTheNewestAnswersAreKept() throws Exception {
        Showing showing =
                Showing.begin(phone.application, "StorageWarningActivity", new Parameters(null));
        for (int number = 0; number < Contract.KEPT_ANSWERS; number++) {
            JSONObject line = Answer.without(Contract.BACK, "").line(showing).put("dialog", "old" + number);
            AnswerStore.add(phone.application, showing, line);
        }
        answer("newest");
        List<List<String>> rows = phone.rows("answers");
        assertEquals(Contract.KEPT_ANSWERS, rows.size());
        assertEquals("old1", rows.get(0).get(0));
        assertEquals("newest", rows.get(rows.size() - 1).get(0));
        assertEquals(Contract.KEPT_ANSWERS, file().size());
    }

    @Test
    public void aDamagedFileLosesNoNewAnswer() throws Exception {
        File kept = new File(phone.application.getFilesDir(), "answers.jsonl");
        Files.write(kept.toPath(), "{half of a li".getBytes(StandardCharsets.UTF_8));
        answer("d");
        assertEquals("d", phone.rows("answers").get(0).get(0));
        assertEquals(1, phone.rows("answers").size());
    }

    @Test
    public void aColumnCanBeAskedForAlone() throws Exception {
        answer("d");
        try (Cursor cursor = resolver.query(ANSWERS, new String[] {"how", "dialog"}, null, null, null)) {
            assertTrue(cursor.moveToFirst());
            assertEquals(Arrays.asList("how", "dialog"), Arrays.asList(cursor.getColumnNames()));
            assertEquals("touch", cursor.getString(0));
            assertEquals("d", cursor.getString(1));
        }
    }

    @Test
    public void whatItDoesNotHaveIsRefused() {
        Uri unknown = Uri.parse("content://" + Contract.AUTHORITY + "/nothing");
        assertThrows(IllegalArgumentException.class, () -> resolver.query(unknown, null, null, null, null));
        assertThrows(IllegalArgumentException.class, () -> resolver.query(ANSWERS, null, "a=1", null, null));
        assertThrows(IllegalArgumentException.class, () -> resolver.delete(unknown, null, null));
        assertThrows(IllegalArgumentException.class, () -> phone.call("explode", null));
        assertThrows(UnsupportedOperationException.class, () -> resolver.insert(ANSWERS, null));
    }

    @Test
    public void itSaysWhatItMayDo() {
        assertTrue(phone.call("grants", null).getBoolean("overlay"));
        assertTrue(phone.call("grants", null).getBoolean("notifications"));
        phone.grant(false);
        assertFalse(phone.call("grants", null).getBoolean("overlay"));
        // Android 6 tells no app whether its notifications are off.
        assertEquals(Build.VERSION.SDK_INT < 24, phone.call("grants", null).getBoolean("notifications"));
    }

    @Test
    @Config(sdk = 23)
    public void olderAndroidsOpenTheirPageOfNotifications() throws Exception {
        phone.start(
                ContractCase.intent(
                        "AskPermissionActivity", new JSONObject().put("param_permission", "notifications")));
        phone.touch("ask_accept_button");
        assertEquals("android.settings.APP_NOTIFICATION_SETTINGS", phone.left.getAction());
        assertEquals("accept", phone.rows("answers").get(0).get(3));
    }

    @Test
    public void anotherAppMayCallNothing() throws Exception {
        phone.start(ContractCase.intent("StorageWarningActivity", new JSONObject()));
        ShadowBinder.setCallingUid(ANOTHER_APP);
        ShadowBinder.setCallingPid(4711);
        assertEquals(ANOTHER_APP, Binder.getCallingUid());
        assertThrows(SecurityException.class, () -> phone.call("close", ""));
        assertThrows(SecurityException.class, () -> phone.call("grants", null));
        ShadowBinder.reset();
        assertEquals(1, phone.rows("open").size());
    }

    @Test
    public void androidGuardsEveryPartThatOthersCanReach() throws Exception {
        PackageManager packages = phone.application.getPackageManager();
        ProviderInfo provider =
                packages.getProviderInfo(
                        new ComponentName(Contract.PACKAGE, CompanionProvider.class.getName()), 0);
        assertEquals(Contract.GUARD, provider.readPermission);
        assertEquals(Contract.GUARD, provider.writePermission);
        ActivityInfo page =
                packages.getActivityInfo(
                        new ComponentName(Contract.PACKAGE, TargetPageActivity.class.getName()), 0);
        assertFalse(page.exported);
        assertNull(packages.getLaunchIntentForPackage(Contract.PACKAGE));
    }

    @Test
    public void itAsksThePersonToUninstallIt() {
        phone.start(new Intent().setClassName(Contract.PACKAGE, RemoveActivity.class.getName()));
        assertEquals(Intent.ACTION_DELETE, phone.left.getAction());
        assertEquals("package:" + Contract.PACKAGE, phone.left.getDataString());
    }

    @Test
    public void itTellsWhyItAsksForAPermissionBeforeAndroidDoes() throws Exception {
        phone.start(
                ContractCase.intent(
                        "AskPermissionActivity", new JSONObject().put("param_permission", "overlay")));
        assertTrue(phone.text("ask_message").contains("You can switch it off again"));
        assertNull(phone.left);
        phone.touch("ask_accept_button");
        assertEquals(Settings.ACTION_MANAGE_OVERLAY_PERMISSION, phone.left.getAction());
    }

    @Test
    public void aRefusalToAskOpensNothing() throws Exception {
        phone.start(
                ContractCase.intent(
                        "AskPermissionActivity", new JSONObject().put("param_permission", "notifications")));
        assertEquals("May AdbSmartTest send notifications?", phone.text("ask_title"));
        phone.touch("ask_deny_button");
        assertNull(phone.left);
        assertEquals("deny", phone.rows("answers").get(0).get(3));
    }

    @Test
    @Config(sdk = 35)
    public void androidAsksForNotificationsAndTheDialogEndsWithTheAnswer() throws Exception {
        phone.start(
                ContractCase.intent(
                        "AskPermissionActivity", new JSONObject().put("param_permission", "notifications")));
        phone.touch("ask_accept_button");
        String[] asked = shadowOf(phone.front()).getLastRequestedPermission().requestedPermissions;
        assertEquals(Arrays.asList(Permissions.NOTIFICATIONS), Arrays.asList(asked));
        phone.front().onRequestPermissionsResult(1, asked, new int[] {PackageManager.PERMISSION_GRANTED});
        phone.settle();
        assertEquals("accept", phone.rows("answers").get(0).get(3));
    }
}
