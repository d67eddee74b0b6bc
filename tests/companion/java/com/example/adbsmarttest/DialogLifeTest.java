package com.example.adbsmarttest;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.widget.EditText;
import android.widget.ImageButton;

import org.json.JSONObject;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.android.controller.ActivityController;

import java.util.Arrays;
import java.util.List;

/** A dialog that is rotated, or whose process ends, is the same dialog and is answered once. */
@RunWith(RobolectricTestRunner.class)
public final class DialogLifeTest {
    private static final int DIALOG = 0;
    private static final int SHOWING = 2;
    private static final int ANSWER = 3;
    private static final int HOW = 4;
    private static final int SHOWN_AT = 7;
    private Phone phone;

    @Before
    public void setUp() {
        phone = new Phone();
    }

    @After
    public void tearDown() {
        phone.end();
    }

    private void start(String activity, String extras) throws Exception {
        phone.start(ContractCase.intent(activity, new JSONObject(extras)));
    }

    private void rotate() {
        phone.task().recreate();
        phone.settle();
    }

    /** The process ends, and Android makes the activity anew from what it kept. */
    private ActivityController<? extends Activity> dieAndComeBack() {
        ActivityController<? extends Activity> old = phone.task();
        Bundle kept = new Bundle();
        old.pause().stop().saveInstanceState(kept);
        phone.end();
        return restored(old.get().getClass(), old.get().getIntent(), kept);
    }

    private <T extends Activity> ActivityController<T> restored(Class<T> type, Intent intent, Bundle kept) {
        ActivityController<T> fresh = Robolectric.buildActivity(type, intent).create(kept);
        if (!fresh.get().isFinishing()) {
            fresh.start().restoreInstanceState(kept).postCreate(kept).resume().visible();
        }
        phone.replaceTask(fresh);
        return fresh;
    }

    @Test
    public void aRotatedDialogIsTheSameOne() throws Exception {
        start("StorageWarningActivity", "{}");
        List<List<String>> before = phone.rows("open");
        rotate();
        rotate();
        assertEquals(before, phone.rows("open"));
        assertEquals(0, phone.rows("answers").size());
        phone.touch("storage_deny_button");
        assertEquals(1, phone.rows("answers").size());
        assertEquals("1", phone.rows("answers").get(0).get(DIALOG));
        assertEquals(before.get(0).get(3), phone.rows("answers").get(0).get(SHOWN_AT));
    }

    @Test
    public void whatAPersonGaveSurvivesARotation() throws Exception {
        start("LoginActivity", "{}");
        ((EditText) phone.view("username_edittext")).setText("ann");
        rotate();
        assertEquals("ann", phone.text("username_edittext"));
        phone.back();
        start("RatingActivity", "{}");
        phone.touch("rating_star_3");
        rotate();
        assertTrue(((ImageButton) phone.view("rating_star_3")).isSelected());
        phone.touch("rating_accept_button");
        assertEquals("3", phone.rows("answers").get(1).get(6));
    }

    @Test
    public void timeGoesOnThroughARotation() throws Exception {
        start("StorageWarningActivity", "{\"param_timeout_seconds\": 10}");
        phone.pass(7);
        rotate();
        phone.pass(2);
        assertNotNull(phone.view("storage_title"));
        phone.pass(2);
        assertEquals("timeout", phone.rows("answers").get(0).get(HOW));
        assertEquals(1, phone.rows("answers").size());
    }

    @Test
    public void aProgressGoesOnThroughARotation() throws Exception {
        start("ProgressActivity", "{\"param_duration_seconds\": 12}");
        phone.pass(6.1);
        rotate();
        assertEquals("Working... 50%", phone.text("progress_message"));
        phone.pass(6);
        assertEquals("Done", phone.text("progress_message"));
    }

    @Test
    public void aDialogWhoseProcessEndedIsAnsweredOnce() throws Exception {
        start("StorageWarningActivity", "{\"param_dialog\": \"d\"}");
        String shownAt = phone.rows("open").get(0).get(3);
        dieAndComeBack();
        assertEquals(Arrays.asList("d", "StorageWarningActivity", "1", shownAt), phone.rows("open").get(0));
        phone.touch("storage_accept_button");
        assertEquals(1, phone.rows("answers").size());
        assertEquals("accept", phone.rows("answers").get(0).get(ANSWER));
    }

    @Test
    public void aDialogThatWasAnsweredBeforeItsProcessEndedIsNotShownAgain() throws Exception {
        start("StorageWarningActivity", "{\"param_dialog\": \"d\"}");
        ActivityController<? extends Activity> old = phone.task();
        Bundle kept = new Bundle();
        old.saveInstanceState(kept);
        phone.touch("storage_accept_button");
        ActivityController<? extends Activity> fresh = restored(old.get().getClass(), old.get().getIntent(), kept);
        assertTrue(fresh.get().isFinishing());
        phone.settle();
        assertEquals(1, phone.rows("answers").size());
    }

    @Test
    public void aDialogThatAndroidEndsIsClosed() throws Exception {
        start("StorageWarningActivity", "{\"param_dialog\": \"d\"}");
        phone.front().finish();
        phone.settle();
        assertEquals("closed", phone.rows("answers").get(0).get(HOW));
        assertEquals(0, phone.rows("open").size());
    }

    @Test
    public void theProcessMayEndBetweenTwoShowings() throws Exception {
        start("StorageWarningActivity", "{\"param_dialog\": \"d\", \"param_returns\": 1}");
        phone.back();
        phone.pass(4);
        dieAndComeBack();
        assertEquals("2", phone.rows("open").get(0).get(2));
        phone.back();
        assertEquals("2", phone.rows("answers").get(1).get(SHOWING));
    }

    @Test
    public void twoDialogsOfDifferentNamesWaitAtTheSameTime() throws Exception {
        start("StorageWarningActivity", "{\"param_dialog\": \"a\"}");
        start("StorageWarningActivity", "{\"param_dialog\": \"b\"}");
        assertEquals(2, phone.rows("open").size());
        phone.back();
        phone.back();
        assertEquals("b", phone.rows("answers").get(0).get(DIALOG));
        assertEquals("a", phone.rows("answers").get(1).get(DIALOG));
    }

    @Test
    public void aDialogThatIsReplacedDoesNotComeBack() throws Exception {
        start("StorageWarningActivity", "{\"param_dialog\": \"d\", \"param_returns\": 5}");
        phone.back();
        start("CrashActivity", "{\"param_dialog\": \"d\"}");
        phone.pass(10);
        assertNull(phone.view("storage_title"));
        assertNotNull(phone.view("crash_title"));
        assertEquals(1, phone.rows("open").size());
    }

    @Test
    public void anOverlayAnswersATouchBesideItAndTheTime() throws Exception {
        start("OverlayReceiver", "{\"param_outside\": true}");
        phone.outside();
        start("OverlayReceiver", "{\"param_timeout_seconds\": 2}");
        phone.pass(3);
        assertEquals("outside", phone.rows("answers").get(0).get(HOW));
        assertEquals("timeout", phone.rows("answers").get(1).get(HOW));
        assertEquals(0, phone.windows().size());
    }

    @Test
    public void aNotificationOutlivesTheProcess() throws Exception {
        start("NotificationReceiver", "{\"param_dialog\": \"n\"}");
        phone.end();
        assertEquals("n", phone.rows("open").get(0).get(DIALOG));
        phone.notice("deny");
        assertEquals("deny", phone.rows("answers").get(0).get(ANSWER));
        assertEquals(0, phone.rows("open").size());
    }

    @Test
    public void aNotificationThatIsClosedIsAnsweredOnce() throws Exception {
        start("NotificationReceiver", "{\"param_dialog\": \"n\"}");
        assertEquals(1, phone.call("close", "n").getInt("closed"));
        assertNull(phone.notification());
        assertEquals("closed", phone.rows("answers").get(0).get(HOW));
    }
}
