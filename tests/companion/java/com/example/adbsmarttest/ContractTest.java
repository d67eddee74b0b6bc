package com.example.adbsmarttest;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;

import android.content.Context;

import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Iterator;

/** The names in the app are those of collector/model/companion. */
@RunWith(RobolectricTestRunner.class)
public final class ContractTest {
    private JSONObject wanted;

    @Before
    public void readTheContract() throws Exception {
        byte[] bytes = Files.readAllBytes(Paths.get(System.getProperty("companion.contract")));
        wanted = new JSONObject(new String(bytes, StandardCharsets.UTF_8));
    }

    @Test
    public void itHasTheNamesOfTheContract() throws JSONException {
        assertEquals(wanted.getInt("version"), Contract.VERSION);
        assertEquals(wanted.getString("version_name"), Contract.VERSION_NAME);
        assertEquals(wanted.getString("authority"), Contract.AUTHORITY);
        assertEquals(wanted.getString("guard"), Contract.GUARD);
        assertEquals(wanted.getString("event_tag"), Contract.EVENT_TAG);
        assertEquals(wanted.getString("answer_tag"), Contract.ANSWER_TAG);
        assertEquals(wanted.getString("answers_file"), Contract.ANSWERS_FILE);
        assertEquals(wanted.getInt("kept_answers"), Contract.KEPT_ANSWERS);
    }

    @Test
    public void itHasTheColumnsOfTheContract() throws JSONException {
        assertColumns("version_columns", Contract.VERSION_COLUMNS);
        assertColumns("open_columns", Contract.OPEN_COLUMNS);
        assertColumns("answer_columns", Contract.ANSWER_COLUMNS);
    }

    private void assertColumns(String name, String[] columns) throws JSONException {
        assertEquals(wanted.getJSONArray(name).toString(), new JSONArray(columns).toString());
    }

    @Test
    public void everyViewOfTheContractIsAResource() throws JSONException {
        Context context = RuntimeEnvironment.getApplication();
        JSONObject views = wanted.getJSONObject("views");
        for (Iterator<String> names = views.keys(); names.hasNext(); ) {
            JSONArray ids = views.getJSONArray(names.next());
            for (int index = 0; index < ids.length(); index++) {
                String id = ids.getString(index);
                assertNotEquals(
                        id, 0, context.getResources().getIdentifier(id, "id", Contract.PACKAGE));
            }
        }
    }
}
