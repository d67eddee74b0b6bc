package com.example.adbsmarttest;

import android.content.Intent;
import android.graphics.Color;
import android.os.Bundle;

/** The extras of an intent. Numbers and flags may come as text; what cannot be read counts as left out. */
final class Parameters {
    private final Bundle extras;

    Parameters(Bundle extras) {
        this.extras = extras == null ? new Bundle() : extras;
    }

    static Parameters of(Intent intent) {
        return new Parameters(intent == null ? null : intent.getExtras());
    }

    boolean has(String name) {
        return extras.get(name) != null;
    }

    String text(String name, String usual) {
        Object value = extras.get(name);
        return value == null ? usual : value.toString();
    }

    int integer(String name, int usual) {
        return Math.round(number(name, usual));
    }

    int integer(String name, int usual, int least, int most) {
        return Math.max(least, Math.min(integer(name, usual), most));
    }

    float number(String name, float usual) {
        Object value = extras.get(name);
        if (value instanceof Number) {
            return finite(((Number) value).floatValue(), usual);
        }
        try {
            return value == null ? usual : finite(Float.parseFloat(value.toString().trim()), usual);
        } catch (NumberFormatException error) {
            return usual;
        }
    }

    private static float finite(float number, float usual) {
        return Float.isNaN(number) || Float.isInfinite(number) ? usual : number;
    }

    boolean flag(String name, boolean usual) {
        Object value = extras.get(name);
        String word = value == null ? "" : value.toString().trim();
        if (word.equalsIgnoreCase("true") || word.equals("1")) {
            return true;
        }
        return usual && !word.equalsIgnoreCase("false") && !word.equals("0");
    }

    int color(String name, int usual) {
        try {
            return has(name) ? Color.parseColor(text(name, "").trim()) : usual;
        } catch (IllegalArgumentException | StringIndexOutOfBoundsException error) {
            return usual;
        }
    }
}
