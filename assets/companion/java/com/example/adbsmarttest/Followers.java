package com.example.adbsmarttest;

import android.content.Context;
import android.content.Intent;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.util.Log;

import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What follows an answer: the same dialog again after a while, or the next of a chain. */
final class Followers {
    private static final Handler LATER = new Handler(Looper.getMainLooper());
    private static final List<Return> WAITING = new CopyOnWriteArrayList<>();
    private static final String CHAIN = "param_chain";
    private static final String CHAIN_NUMBER = "companion_chain_number";
    private static final String CHAIN_NAME = "companion_chain_name";
    private static final int MOST_RETURNS = 20;

    private Followers() {}

    static void start(Context context, Bundle extras, Showing showing, Answer answer) {
        Parameters parameters = new Parameters(extras);
        boolean accepted = answer.answer.equals(Contract.ACCEPT);
        if (!accepted && showing.number <= parameters.integer("param_returns", 0, 0, MOST_RETURNS)) {
            Return again = new Return(context.getApplicationContext(), extras, showing);
            WAITING.add(again);
            LATER.postDelayed(again, 1000L * parameters.integer("param_return_seconds", 3, 0, 3600));
        } else if (parameters.has(CHAIN)) {
            startNext(context, parameters, showing);
        }
    }

    /** The dialog does not come back any more; none does when the name is empty. */
    static void forget(String dialog) {
        for (Return one : waiting()) {
            if (dialog.isEmpty() || one.dialog.equals(dialog)) {
                LATER.removeCallbacks(one);
                WAITING.remove(one);
            }
        }
    }

    /** Dialogs that will come back. */
    static List<Return> waiting() {
        return new ArrayList<>(WAITING);
    }

    /** A dialog that comes back after a while. */
    static final class Return implements Runnable {
        final String dialog;
        final String activity;
        final int number;
        private final Context context;
        private final Bundle extras;

        Return(Context context, Bundle extras, Showing before) {
            this.context = context;
            dialog = before.dialog;
            activity = before.activity;
            number = before.number + 1;
            this.extras = new Bundle(extras);
            this.extras.putString("param_dialog", dialog);
            this.extras.putInt(Showing.NUMBER, number);
        }

        @Override
        public void run() {
            WAITING.remove(this);
            show(context, activity, extras);
        }
    }

    private static void startNext(Context context, Parameters before, Showing showing) {
        try {
            JSONArray chain = new JSONArray(before.text(CHAIN, "[]"));
            if (chain.length() == 0) {
                return;
            }
            JSONObject next = chain.getJSONObject(0);
            String name = before.text(CHAIN_NAME, showing.dialog);
            int number = before.integer(CHAIN_NUMBER, 1) + 1;
            Bundle extras = extras(next.optJSONObject("parameters"));
            if (!extras.containsKey("param_dialog")) {
                extras.putString("param_dialog", name + "." + number);
            }
            JSONArray rest = new JSONArray();
            for (int index = 1; index < chain.length(); index++) {
                rest.put(chain.get(index));
            }
            if (rest.length() > 0) {
                extras.putString(CHAIN, rest.toString());
                extras.putString(CHAIN_NAME, name);
                extras.putInt(CHAIN_NUMBER, number);
            }
            show(context, next.getString("activity"), extras);
        } catch (JSONException error) {
            Log.w(Contract.ANSWER_TAG, "param_chain is no list of dialogs: " + error.getMessage());
        }
    }

    private static Bundle extras(JSONObject parameters) throws JSONException {
        Bundle extras = new Bundle();
        if (parameters == null) {
            return extras;
        }
        for (Iterator<String> names = parameters.keys(); names.hasNext(); ) {
            String name = names.next();
            extras.putString(name, parameters.getString(name));
        }
        return extras;
    }

    private static void show(Context context, String activity, Bundle extras) {
        Intent intent = new Intent().putExtras(extras);
        intent.setClassName(Contract.PACKAGE, Contract.PACKAGE + "." + activity);
        try {
            if (activity.endsWith("Receiver")) {
                context.sendBroadcast(intent);
            } else {
                context.startActivity(intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
            }
        } catch (RuntimeException error) {
            Log.w(Contract.ANSWER_TAG, "cannot show " + activity, error);
        }
    }
}
