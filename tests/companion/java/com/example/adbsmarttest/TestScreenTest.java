package com.example.adbsmarttest;

import static org.junit.Assert.assertEquals;

import android.content.Intent;
import android.graphics.Color;
import android.graphics.drawable.ColorDrawable;
import android.os.SystemClock;
import android.view.MotionEvent;
import android.view.WindowManager;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;

/** The screen on which a check measures how long a touch takes to its picture. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {23, 35})
public final class TestScreenTest {
    private static ActivityController<TestScreenActivity> shown(Intent intent) {
        return Robolectric.buildActivity(TestScreenActivity.class, intent).setup();
    }

    private static int color(ActivityController<TestScreenActivity> screen) {
        return ((ColorDrawable) screen.get().findViewById(R.id.test_screen).getBackground()).getColor();
    }

    private static void touch(ActivityController<TestScreenActivity> screen, int... actions) {
        long now = SystemClock.uptimeMillis();
        for (int action : actions) {
            MotionEvent event = MotionEvent.obtain(now, now, action, 50, 50, 0);
            screen.get().dispatchTouchEvent(event);
            event.recycle();
        }
    }

    @Test
    public void eachFingerThatComesDownChangesIt() {
        ActivityController<TestScreenActivity> screen = shown(new Intent());
        assertEquals(Color.BLACK, color(screen));
        touch(screen, MotionEvent.ACTION_DOWN);
        assertEquals(Color.WHITE, color(screen));
        touch(screen, MotionEvent.ACTION_MOVE, MotionEvent.ACTION_UP);
        assertEquals(Color.WHITE, color(screen));
        screen.recreate();
        assertEquals(Color.WHITE, color(screen));
        touch(screen, MotionEvent.ACTION_DOWN);
        assertEquals(Color.BLACK, color(screen));
    }

    @Test
    public void itForbidsPicturesWhenAskedTo() {
        int secure = WindowManager.LayoutParams.FLAG_SECURE;
        assertEquals(0, shown(new Intent()).get().getWindow().getAttributes().flags & secure);
        Intent asked = new Intent().putExtra("param_secure", true);
        assertEquals(secure, shown(asked).get().getWindow().getAttributes().flags & secure);
    }
}
