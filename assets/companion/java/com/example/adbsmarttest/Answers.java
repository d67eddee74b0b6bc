package com.example.adbsmarttest;

import android.content.Context;
import android.os.Bundle;
import android.util.Log;

import org.json.JSONObject;

/** Gives the answer of a dialog: once to the disk and to the log, and starts what follows. */
final class Answers {
    private Answers() {}

    /** {@code extras} are those that the dialog was started with, {@code tag} is the one of its events. */
    static void give(Context context, Bundle extras, Showing showing, Answer answer, String tag) {
        JSONObject line = answer.line(showing);
        if (!AnswerStore.add(context, showing, line)) {
            return;
        }
        if (!answer.event.isEmpty()) {
            Log.i(tag, answer.event);
        }
        Log.i(Contract.ANSWER_TAG, line.toString());
        if (!answer.how.equals(Contract.CLOSED)) {
            Followers.start(context, extras, showing, answer);
        }
    }
}
