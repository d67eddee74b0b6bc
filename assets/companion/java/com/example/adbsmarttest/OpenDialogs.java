package com.example.adbsmarttest;

import java.util.ArrayList;
import java.util.List;

/** The windows of this process that wait for an answer. */
final class OpenDialogs {
    private static final List<OpenDialog> OPEN = new ArrayList<>();

    private OpenDialogs() {}

    /** Adds a window. It takes the place of its own earlier window, and closes another of the same name. */
    static void add(OpenDialog added) {
        Followers.forget(added.showing().dialog);
        for (OpenDialog other : all()) {
            if (other.showing().isSame(added.showing())) {
                remove(other);
            } else if (other.showing().dialog.equals(added.showing().dialog)) {
                other.close();
            }
        }
        synchronized (OPEN) {
            OPEN.add(added);
        }
    }

    static void remove(OpenDialog dialog) {
        synchronized (OPEN) {
            OPEN.remove(dialog);
        }
    }

    static List<OpenDialog> all() {
        synchronized (OPEN) {
            return new ArrayList<>(OPEN);
        }
    }
}
