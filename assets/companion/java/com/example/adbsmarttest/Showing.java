package com.example.adbsmarttest;

import android.content.Context;
import android.content.SharedPreferences;
import android.os.Bundle;
import android.os.SystemClock;

/** One time that a dialog is shown. A rotated or restored window is the same showing. */
final class Showing {
    /** Extra of the intents with which this app starts a dialog again. */
    static final String NUMBER = "companion_showing";

    private static final String DIALOG = "companion_dialog";
    private static final String ACTIVITY = "companion_activity";
    private static final String SHOWN_AT = "companion_shown_at";
    private static final String STARTED = "companion_started";
    private static final String COUNTER = "last_dialog";

    final String dialog;
    final String activity;
    final int number;
    final long shownAt;
    /** On the clock that nobody sets. */
    final long started;

    private Showing(String dialog, String activity, int number, long shownAt, long started) {
        this.dialog = dialog;
        this.activity = activity;
        this.number = number;
        this.shownAt = shownAt;
        this.started = started;
    }

    /** A new one, from the extras of the intent. */
    static Showing begin(Context context, String activity, Parameters parameters) {
        String dialog = parameters.text("param_dialog", "");
        if (dialog.isEmpty()) {
            dialog = nextDialog(context);
        }
        int number = parameters.integer(NUMBER, 1, 1, Integer.MAX_VALUE);
        return new Showing(
                dialog, activity, number, System.currentTimeMillis(), SystemClock.elapsedRealtime());
    }

    static Showing restored(Bundle kept) {
        return new Showing(
                kept.getString(DIALOG, ""),
                kept.getString(ACTIVITY, ""),
                kept.getInt(NUMBER, 1),
                kept.getLong(SHOWN_AT),
                kept.getLong(STARTED));
    }

    void keep(Bundle kept) {
        kept.putString(DIALOG, dialog);
        kept.putString(ACTIVITY, activity);
        kept.putInt(NUMBER, number);
        kept.putLong(SHOWN_AT, shownAt);
        kept.putLong(STARTED, started);
    }

    boolean isSame(Showing other) {
        return dialog.equals(other.dialog) && number == other.number && shownAt == other.shownAt;
    }

    private static synchronized String nextDialog(Context context) {
        SharedPreferences numbers = context.getSharedPreferences("dialogs", Context.MODE_PRIVATE);
        int next = numbers.getInt(COUNTER, 0) + 1;
        numbers.edit().putInt(COUNTER, next).commit();
        return String.valueOf(next);
    }
}
