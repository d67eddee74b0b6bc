package com.example.adbsmarttest;

import android.app.Activity;
import android.graphics.Color;
import android.os.Bundle;
import android.view.MotionEvent;
import android.view.View;
import android.view.WindowManager;

/**
 * A whole screen that turns from black to white, or back, as soon as a finger touches it. It tells how long a touch
 * takes to its picture; with param_secure it forbids pictures, as the screens of banks do.
 */
public final class TestScreenActivity extends Activity {
    private static final String WHITE = "white";
    private View screen;
    private boolean white;

    @Override
    protected void onCreate(Bundle kept) {
        super.onCreate(kept);
        if (Parameters.of(getIntent()).flag("param_secure", false)) {
            getWindow().addFlags(WindowManager.LayoutParams.FLAG_SECURE);
        }
        white = kept != null && kept.getBoolean(WHITE);
        screen = new View(this);
        screen.setId(R.id.test_screen);
        setContentView(screen);
        paint();
    }

    @Override
    protected void onSaveInstanceState(Bundle kept) {
        super.onSaveInstanceState(kept);
        kept.putBoolean(WHITE, white);
    }

    @Override
    public boolean dispatchTouchEvent(MotionEvent event) {
        if (event.getActionMasked() == MotionEvent.ACTION_DOWN) {
            white = !white;
            paint();
        }
        return super.dispatchTouchEvent(event);
    }

    private void paint() {
        screen.setBackgroundColor(white ? Color.WHITE : Color.BLACK);
    }
}
