package com.example.adbsmarttest;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;

/** Hears that a notification, or a button of it, was touched, or that it was swiped away. */
public final class NotificationAnswerReceiver extends BroadcastReceiver {
    @Override
    public void onReceive(Context context, Intent intent) {
        String action = intent.getAction();
        OpenNotification.restored(context.getApplicationContext(), intent.getExtras())
                .answer(action == null ? "" : action);
    }
}
