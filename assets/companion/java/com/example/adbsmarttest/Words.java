package com.example.adbsmarttest;

import android.content.Context;

/** The words of a dialog: those of the intent, or the app's own in the language of the dialog. */
final class Words {
    private final Context context;
    private final Parameters parameters;

    Words(Context context, Parameters parameters) {
        this.context = context;
        this.parameters = parameters;
    }

    /** Words of the app, with what the intent says of the app filled in. */
    String own(int resource) {
        String app = parameters.text("param_app", "");
        return context.getString(resource)
                .replace("{app}", app.isEmpty() ? context.getString(R.string.this_app) : app)
                .replace("{version}", parameters.text("param_version", ""));
    }

    String title(int resource) {
        return parameters.has("param_title") ? parameters.text("param_title", "") : own(resource);
    }

    String message(int resource) {
        return message(own(resource));
    }

    String message(String usual) {
        return parameters.text("param_message", usual);
    }

    /** The message of the intent, or none. */
    String message() {
        return message("");
    }

    /** The words of the button {@code param_NAME_btn_text}. */
    String button(String name, int resource) {
        String key = "param_" + name + "_btn_text";
        return parameters.has(key) ? parameters.text(key, "") : own(resource);
    }

    String onlyButton(int resource) {
        return parameters.has("param_button_text")
                ? parameters.text("param_button_text", "")
                : own(resource);
    }

    /** The event of the button {@code param_NAME_log_event}. */
    String event(String name, String usual) {
        return parameters.text("param_" + name + "_log_event", usual);
    }

    String onlyEvent(String usual) {
        return parameters.text("param_log_event", usual);
    }
}
