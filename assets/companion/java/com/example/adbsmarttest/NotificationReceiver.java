package com.example.adbsmarttest;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.os.Bundle;

/** Shows a notification. */
public final class NotificationReceiver extends BroadcastReceiver {
    @Override
    public void onReceive(Context context, Intent intent) {
        if (!Permissions.mayNotify(context)) {
            Permissions.refuse(this, Permissions.NOTIFICATIONS);
            return;
        }
        Bundle extras = intent.getExtras() == null ? new Bundle() : intent.getExtras();
        Permissions.shown(this, OpenNotification.post(context.getApplicationContext(), extras).showing());
    }
}
