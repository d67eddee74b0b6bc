package com.example.adbsmarttest;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.os.Bundle;

/** Shows a dialog over the app in front, which stays in front. */
public final class OverlayReceiver extends BroadcastReceiver {
    @Override
    public void onReceive(Context context, Intent intent) {
        if (!Permissions.mayDrawOverApps(context)) {
            Permissions.refuse(this, Permissions.OVERLAY);
            return;
        }
        Bundle extras = intent.getExtras() == null ? new Bundle() : intent.getExtras();
        OverlayWindow window = new OverlayWindow(context.getApplicationContext(), extras);
        window.show();
        Permissions.shown(this, window.showing());
    }
}
