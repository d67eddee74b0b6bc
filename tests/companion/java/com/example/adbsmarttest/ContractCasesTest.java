package com.example.adbsmarttest;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import android.app.Notification;
import android.os.Build;
import android.os.Bundle;
import android.widget.EditText;

import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;
import org.junit.After;
import org.junit.Assume;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.ParameterizedRobolectricTestRunner;
import org.robolectric.ParameterizedRobolectricTestRunner.Parameters;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadows.ShadowToast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/** The app keeps the contract: every case that the virtual phone's companion passes, too. */
@RunWith(ParameterizedRobolectricTestRunner.class)
public final class ContractCasesTest {
    private static final List<String> COLUMNS = Arrays.asList(Contract.ANSWER_COLUMNS);
    private final String name;
    private Phone phone;

    public ContractCasesTest(String name) {
        this.name = name;
    }

    @Parameters(name = "{0}")
    public static Collection<Object[]> names() throws Exception {
        List<Object[]> names = new ArrayList<>();
        for (ContractCase one : ContractCase.all()) {
            names.add(new Object[] {one.toString()});
        }
        return names;
    }

    @Test
    public void itKeepsTheContract() throws Exception {
        JSONObject json = null;
        for (ContractCase one : ContractCase.all()) {
            json = one.toString().equals(name) ? one.json : json;
        }
        JSONObject asked = json.optJSONObject("phone");
        if (asked != null && asked.optString("language").equals("zh")) {
            RuntimeEnvironment.setQualifiers("+zh-rCN");
        }
        phone = new Phone();
        boolean granted = json.optBoolean("granted", true);
        // Android 6 has no such permission, and tells no app that its notifications are off.
        Assume.assumeTrue(granted || Build.VERSION.SDK_INT >= 33 || name.contains("overlay"));
        phone.grant(granted);
        phone.start(ContractCase.intent(json.getString("start"), json.optJSONObject("extras")));
        checkResult(json.optJSONObject("result"));
        checkShown(json.optJSONObject("shows"));
        checkNotice(json.optJSONObject("notice"));
        if (json.has("toast")) {
            assertEquals(json.getString("toast"), ShadowToast.getTextOfLatestToast());
        }
        JSONArray acts = json.optJSONArray("do");
        for (int index = 0; acts != null && index < acts.length(); index++) {
            act(acts.get(index));
        }
        checkLogs(json.optJSONArray("logs"));
        checkAnswers(json.optJSONArray("answers"));
        checkOpen(json.optJSONArray("open"));
    }

    @After
    public void endAll() {
        phone.end();
    }

    private void checkResult(JSONObject wanted) throws JSONException {
        if (wanted != null) {
            assertEquals(wanted.getInt("code"), phone.resultCode);
            assertTrue(phone.resultData, phone.resultData.contains(wanted.getString("data")));
        }
    }

    private void checkNotice(JSONObject wanted) throws JSONException {
        if (wanted != null) {
            Bundle extras = phone.notification().getNotification().extras;
            assertEquals(wanted.getString("title"), extras.getString(Notification.EXTRA_TITLE));
            assertEquals(wanted.getString("text"), extras.getString(Notification.EXTRA_TEXT));
        }
    }

    private void checkShown(JSONObject shows) throws JSONException {
        Iterator<String> ids = shows == null ? new JSONObject().keys() : shows.keys();
        while (ids.hasNext()) {
            String id = ids.next();
            assertEquals(id, shows.getString(id), phone.text(id));
        }
    }

    private void act(Object verb) throws JSONException {
        if (verb.equals("back")) {
            phone.back();
        } else if (verb.equals("outside")) {
            phone.outside();
        } else {
            act((JSONObject) verb);
        }
    }

    private void act(JSONObject act) throws JSONException {
        if (act.has("touch")) {
            phone.touch(act.getString("touch"));
        } else if (act.has("wait")) {
            phone.pass(act.getDouble("wait"));
        } else if (act.has("type")) {
            type(act.getJSONObject("type"));
        } else if (act.has("shows")) {
            checkShown(act.getJSONObject("shows"));
        } else if (act.has("gone")) {
            checkGone(act.getJSONArray("gone"));
        } else if (act.has("start")) {
            phone.start(ContractCase.intent(act.getString("start"), act.optJSONObject("extras")));
        } else if (act.has("close")) {
            phone.call("close", act.getString("close"));
        } else if (act.has("notification")) {
            phone.notice(act.getString("notification"));
        } else {
            throw new AssertionError("unknown: " + act);
        }
    }

    private void type(JSONObject texts) throws JSONException {
        for (Iterator<String> ids = texts.keys(); ids.hasNext(); ) {
            String id = ids.next();
            ((EditText) phone.view(id)).setText(texts.getString(id));
        }
    }

    private void checkGone(JSONArray ids) throws JSONException {
        for (int index = 0; index < ids.length(); index++) {
            assertNull(ids.getString(index), phone.view(ids.getString(index)));
        }
    }

    private void checkLogs(JSONArray wanted) throws JSONException {
        List<String> tags =
                new ArrayList<>(
                        Arrays.asList(
                                Contract.EVENT_TAG, "CookieConsentLogger", "ProgressActivityLogger",
                                "RedirectActivity"));
        List<List<String>> lines = new ArrayList<>();
        for (int index = 0; wanted != null && index < wanted.length(); index++) {
            JSONArray line = wanted.getJSONArray(index);
            tags.add(line.getString(0));
            lines.add(Arrays.asList(line.getString(0), line.getString(1)));
        }
        assertEquals(lines, phone.events(tags));
    }

    private void checkAnswers(JSONArray wanted) throws JSONException {
        List<List<String>> rows = phone.rows("answers");
        int count = wanted == null ? 0 : wanted.length();
        assertEquals(rows.toString(), count, rows.size());
        for (int index = 0; index < count; index++) {
            checkRow(wanted.getJSONObject(index), COLUMNS, rows.get(index));
        }
    }

    private void checkOpen(JSONArray wanted) throws JSONException {
        List<List<String>> rows = phone.rows("open");
        int count = wanted == null ? 0 : wanted.length();
        assertEquals(rows.toString(), count, rows.size());
        for (int index = 0; index < count; index++) {
            checkRow(wanted.getJSONObject(index), Arrays.asList(Contract.OPEN_COLUMNS), rows.get(index));
        }
    }

    private static void checkRow(JSONObject wanted, List<String> columns, List<String> row) throws JSONException {
        for (Iterator<String> names = wanted.keys(); names.hasNext(); ) {
            String column = names.next();
            assertEquals(column, wanted.getString(column), row.get(columns.indexOf(column)));
        }
    }
}
