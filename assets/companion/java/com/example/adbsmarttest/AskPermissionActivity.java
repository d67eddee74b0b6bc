package com.example.adbsmarttest;

import android.Manifest;
import android.content.ActivityNotFoundException;
import android.content.Intent;
import android.net.Uri;
import android.os.Build;
import android.provider.Settings;

/** Tells the person why a permission is asked for, then opens Android's own question. Its answers have no event. */
public final class AskPermissionActivity extends DialogActivity {
    private static final String NOTIFICATIONS = "notifications";
    private static final int REQUEST = 1;

    @Override
    Form form() {
        boolean overlay = !parameters.text("param_permission", "").equals(NOTIFICATIONS);
        return new Form()
                .icon(overlay ? R.drawable.ic_app : R.drawable.ic_bell)
                .texts(
                        R.id.ask_title,
                        words.own(overlay ? R.string.ask_overlay_title : R.string.ask_notifications_title),
                        R.id.ask_message,
                        words.own(
                                overlay ? R.string.ask_overlay_message : R.string.ask_notifications_message))
                .button(Contract.ACCEPT, R.id.ask_accept_button, words.own(R.string.ask_accept), "")
                .button(Contract.DENY, R.id.ask_deny_button, words.own(R.string.ask_deny), "");
    }

    @Override
    void answer(Form.Button button) {
        if (!button.answer.equals(Contract.ACCEPT)) {
            super.answer(button);
        } else if (parameters.text("param_permission", "").equals(NOTIFICATIONS)) {
            askNotifications(button);
        } else {
            open(new Intent(Settings.ACTION_MANAGE_OVERLAY_PERMISSION, Uri.parse("package:" + getPackageName())));
            super.answer(button);
        }
    }

    private void askNotifications(Form.Button button) {
        if (Build.VERSION.SDK_INT >= 33) {
            requestPermissions(new String[] {Manifest.permission.POST_NOTIFICATIONS}, REQUEST);
            return;
        }
        open(
                new Intent("android.settings.APP_NOTIFICATION_SETTINGS")
                        .putExtra("android.provider.extra.APP_PACKAGE", getPackageName())
                        .putExtra("app_package", getPackageName())
                        .putExtra("app_uid", getApplicationInfo().uid));
        super.answer(button);
    }

    @Override
    public void onRequestPermissionsResult(int request, String[] permissions, int[] results) {
        if (permissions.length > 0) {
            end(new Answer(Contract.ACCEPT, Contract.TOUCH, "", ""));
        }
    }

    private void open(Intent page) {
        try {
            startActivity(page.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
        } catch (ActivityNotFoundException error) {
            startActivity(
                    new Intent(Settings.ACTION_APPLICATION_DETAILS_SETTINGS, Uri.parse("package:" + getPackageName()))
                            .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
        }
    }
}
