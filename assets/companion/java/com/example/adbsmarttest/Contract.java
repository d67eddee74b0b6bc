package com.example.adbsmarttest;

/** Names that a computer and this app share; collector/model/companion has the same. */
final class Contract {
    static final int VERSION = 1;
    static final String VERSION_NAME = "2.0";
    static final String PACKAGE = "com.example.adbsmarttest";
    static final String AUTHORITY = PACKAGE + ".companion";
    static final String GUARD = "android.permission.DUMP";

    static final String EVENT_TAG = "ReactBench_Event";
    static final String ANSWER_TAG = "WaymarkCompanion";
    static final String ANSWERS_FILE = "answers.jsonl";
    static final int KEPT_ANSWERS = 500;

    static final String[] VERSION_COLUMNS = {"contract", "version", "sdk"};
    static final String[] OPEN_COLUMNS = {"dialog", "activity", "showing", "shown_at"};
    static final String[] ANSWER_COLUMNS = {
        "dialog", "activity", "showing", "answer", "how", "event", "value", "shown_at", "answered_at"
    };

    static final String ACCEPT = "accept";
    static final String DENY = "deny";
    static final String MANAGE = "manage";

    static final String TOUCH = "touch";
    static final String BACK = "back";
    static final String OUTSIDE = "outside";
    static final String TIMEOUT = "timeout";
    static final String FINISHED = "finished";
    static final String CLOSED = "closed";
    static final String SHOWN = "shown";
    static final String SWIPED = "swiped";

    private Contract() {}
}
