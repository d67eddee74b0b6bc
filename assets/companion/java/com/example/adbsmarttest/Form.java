package com.example.adbsmarttest;

import android.view.View;

import java.util.ArrayList;
import java.util.List;

/** What a dialog shows: an icon, a title, a message, something of its own, and buttons. */
final class Form {
    /** How the buttons look. */
    enum Style {
        /** Words side by side, or one above the other where they need more room. */
        WORDS,
        /** Wide and coloured, one above the other, as Android asks for permissions. */
        WIDE,
        /** Rows with an icon, as Android tells of an app that stopped. */
        ROWS
    }

    /** A button: the word that rules have for it, its view, words, icon and event. */
    static final class Button {
        final String answer;
        final int id;
        final String text;
        final String event;
        final int icon;

        private Button(String answer, int id, String text, String event, int icon) {
            this.answer = answer;
            this.id = id;
            this.text = text;
            this.event = event;
            this.icon = icon;
        }
    }

    final List<Button> buttons = new ArrayList<>();
    Style style = Style.WORDS;
    int icon;
    int titleId;
    int messageId;
    String title = "";
    String message = "";
    View middle;
    /** Its first button has a colour of its own. */
    boolean filled;

    Form texts(int titleId, String title, int messageId, String message) {
        this.titleId = titleId;
        this.title = title;
        this.messageId = messageId;
        this.message = message;
        return this;
    }

    Form button(String answer, int id, String text, String event) {
        return button(answer, id, text, event, 0);
    }

    Form button(String answer, int id, String text, String event, int icon) {
        buttons.add(new Button(answer, id, text, event, icon));
        return this;
    }

    Form icon(int resource) {
        icon = resource;
        return this;
    }

    Form middle(View view) {
        middle = view;
        return this;
    }

    Form style(Style style) {
        this.style = style;
        return this;
    }

    Form filled() {
        filled = true;
        return this;
    }
}
