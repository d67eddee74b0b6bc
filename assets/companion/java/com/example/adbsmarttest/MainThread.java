package com.example.adbsmarttest;

import android.os.Handler;
import android.os.Looper;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs something on the main thread, where dialogs live, and waits for it. */
final class MainThread {
    private static final int LONGEST_WAIT_S = 5;

    private MainThread() {}

    static void run(final Runnable work) {
        if (Looper.myLooper() == Looper.getMainLooper()) {
            work.run();
            return;
        }
        final CountDownLatch done = new CountDownLatch(1);
        new Handler(Looper.getMainLooper())
                .post(
                        new Runnable() {
                            @Override
                            public void run() {
                                work.run();
                                done.countDown();
                            }
                        });
        try {
            done.await(LONGEST_WAIT_S, TimeUnit.SECONDS);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
        }
    }
}
