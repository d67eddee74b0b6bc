package com.example.adbsmarttest;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.util.Log;

/** D-GARA's redirection: leads to another page at once. */
public final class RedirectActivity extends Activity {
    @Override
    protected void onCreate(Bundle kept) {
        super.onCreate(kept);
        Intent page = new Intent(this, TargetPageActivity.class).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
        Bundle extras = getIntent().getExtras();
        startActivity(extras == null ? page : page.putExtras(extras));
        Log.i("RedirectActivity", "to " + page.getComponent().flattenToShortString());
        finish();
    }
}
