package com.example.adbsmarttest;

/** A dialog that waits for an answer. */
interface OpenDialog {
    Showing showing();

    /** Ends it with the answer {@link Contract#CLOSED}. */
    void close();
}
