package com.example.adbsmarttest;

import android.content.Context;
import android.util.Log;

import org.json.JSONException;
import org.json.JSONObject;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The answers on the disk: in the app's own folder, with a copy that adb can read on every phone. */
final class AnswerStore {
    private AnswerStore() {}

    /** Keeps an answer; false when this showing has one already. */
    static synchronized boolean add(Context context, Showing showing, JSONObject line) {
        List<JSONObject> lines = all(context);
        if (isIn(lines, showing)) {
            return false;
        }
        lines.add(line);
        int tooMany = Math.max(0, lines.size() - Contract.KEPT_ANSWERS);
        write(context, lines.subList(tooMany, lines.size()));
        return true;
    }

    static synchronized boolean has(Context context, Showing showing) {
        return isIn(all(context), showing);
    }

    /** Every answer, the oldest first. */
    static synchronized List<JSONObject> all(Context context) {
        List<JSONObject> lines = new ArrayList<>();
        File file = new File(context.getFilesDir(), Contract.ANSWERS_FILE);
        if (!file.exists()) {
            return lines;
        }
        try (BufferedReader reader =
                new BufferedReader(
                        new InputStreamReader(new FileInputStream(file), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                addLine(lines, line);
            }
        } catch (IOException error) {
            Log.w(Contract.ANSWER_TAG, "cannot read all answers", error);
        }
        return lines;
    }

    private static void addLine(List<JSONObject> lines, String line) {
        try {
            lines.add(new JSONObject(line));
        } catch (JSONException error) {
            Log.w(Contract.ANSWER_TAG, "an answer is damaged: " + line);
        }
    }

    /** Forgets every answer and returns how many there were. */
    static synchronized int clear(Context context) {
        int count = all(context).size();
        write(context, new ArrayList<JSONObject>());
        return count;
    }

    private static boolean isIn(List<JSONObject> lines, Showing showing) {
        for (JSONObject line : lines) {
            if (line.optString("dialog").equals(showing.dialog)
                    && line.optInt("showing") == showing.number
                    && line.optLong("shown_at") == showing.shownAt) {
                return true;
            }
        }
        return false;
    }

    private static void write(Context context, List<JSONObject> lines) {
        StringBuilder text = new StringBuilder();
        for (JSONObject line : lines) {
            text.append(line).append('\n');
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        replace(context.getFilesDir(), bytes);
        replace(context.getExternalFilesDir(null), bytes);
    }

    /** A reader sees the file as it was or as it is, never half of it. */
    private static void replace(File folder, byte[] bytes) {
        if (folder == null) {
            return;
        }
        File fresh = new File(folder, Contract.ANSWERS_FILE + ".new");
        try (FileOutputStream stream = new FileOutputStream(fresh)) {
            stream.write(bytes);
            stream.getFD().sync();
        } catch (IOException error) {
            Log.w(Contract.ANSWER_TAG, "cannot write the answers", error);
            return;
        }
        if (!fresh.renameTo(new File(folder, Contract.ANSWERS_FILE))) {
            Log.w(Contract.ANSWER_TAG, "cannot replace the answers in " + folder);
        }
    }
}
