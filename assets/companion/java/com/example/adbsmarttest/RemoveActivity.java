package com.example.adbsmarttest;

import android.app.Activity;
import android.content.Intent;
import android.net.Uri;
import android.os.Bundle;

/** Has Android ask the person whether to uninstall this app. */
public final class RemoveActivity extends Activity {
    @Override
    protected void onCreate(Bundle kept) {
        super.onCreate(kept);
        startActivity(
                new Intent(Intent.ACTION_DELETE, Uri.parse("package:" + getPackageName()))
                        .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
        finish();
    }
}
