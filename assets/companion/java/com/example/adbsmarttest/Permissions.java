package com.example.adbsmarttest;

import android.app.Activity;
import android.app.NotificationManager;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.os.Build;
import android.provider.Settings;

/** What this app may do on this phone, and what a receiver tells its caller of it. */
final class Permissions {
    static final String OVERLAY = "android.permission.SYSTEM_ALERT_WINDOW";
    static final String NOTIFICATIONS = "android.permission.POST_NOTIFICATIONS";
    private static final int REFUSED = 1;

    private Permissions() {}

    static boolean mayDrawOverApps(Context context) {
        return Settings.canDrawOverlays(context);
    }

    static boolean mayNotify(Context context) {
        NotificationManager manager = context.getSystemService(NotificationManager.class);
        return Build.VERSION.SDK_INT < 24 || manager.areNotificationsEnabled();
    }

    /** Newer Androids drop toasts of an app in the background that may not notify. */
    static boolean maySendToasts(Context context) {
        return Build.VERSION.SDK_INT < 33 || mayNotify(context);
    }

    /** The caller of {@code am broadcast} reads that nothing was shown, and why. */
    static void refuse(BroadcastReceiver receiver, String permission) {
        if (receiver.isOrderedBroadcast()) {
            receiver.setResult(REFUSED, "needs " + permission, null);
        }
    }

    /** The caller of {@code am broadcast} reads the name of the dialog. */
    static void shown(BroadcastReceiver receiver, Showing showing) {
        if (receiver.isOrderedBroadcast()) {
            receiver.setResult(Activity.RESULT_OK, showing.dialog, null);
        }
    }
}
