package com.example.adbsmarttest;

import org.json.JSONException;
import org.json.JSONObject;

/** How a dialog ended: which button, how, what was logged, and what the person gave. */
final class Answer {
    final String answer;
    final String how;
    final String event;
    final String value;

    Answer(String answer, String how, String event, String value) {
        this.answer = answer;
        this.how = how;
        this.event = event;
        this.value = value;
    }

    /** No button: {@code how} says what happened instead. */
    static Answer without(String how, String value) {
        return new Answer("", how, "", value);
    }

    JSONObject line(Showing showing) {
        try {
            return new JSONObject()
                    .put("dialog", showing.dialog)
                    .put("activity", showing.activity)
                    .put("showing", showing.number)
                    .put("answer", answer)
                    .put("how", how)
                    .put("event", event)
                    .put("value", value)
                    .put("shown_at", showing.shownAt)
                    .put("answered_at", System.currentTimeMillis());
        } catch (JSONException error) {
            throw new IllegalStateException(error);
        }
    }
}
