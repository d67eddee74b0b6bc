package com.example.adbsmarttest;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.os.Bundle;
import android.widget.Toast;

/** Shows a short message at the edge of the screen. Nobody can answer it. */
public final class ToastReceiver extends BroadcastReceiver {
    @Override
    public void onReceive(Context context, Intent intent) {
        Parameters parameters = Parameters.of(intent);
        if (!Permissions.maySendToasts(context)) {
            Permissions.refuse(this, Permissions.NOTIFICATIONS);
            return;
        }
        Appearance look = Appearance.of(context, parameters);
        String words = new Words(look.context, parameters).message(R.string.toast_message);
        int length = parameters.flag("param_long", false) ? Toast.LENGTH_LONG : Toast.LENGTH_SHORT;
        Toast.makeText(context, words, length).show();
        Showing showing = Showing.begin(context, "ToastReceiver", parameters);
        Bundle extras = intent.getExtras() == null ? new Bundle() : intent.getExtras();
        Permissions.shown(this, showing);
        Answers.give(context, extras, showing, Answer.without(Contract.SHOWN, ""), Contract.EVENT_TAG);
    }
}
