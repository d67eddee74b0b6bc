package com.example.adbsmarttest;

import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.app.Application;
import android.app.Notification;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.database.Cursor;
import android.net.Uri;
import android.os.Bundle;
import android.os.SystemClock;
import android.service.notification.StatusBarNotification;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.View;
import android.widget.TextView;

import org.robolectric.Robolectric;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.shadows.ShadowApplication;
import org.robolectric.shadows.ShadowLog;
import org.robolectric.shadows.ShadowLooper;
import org.robolectric.shadows.ShadowSettings;
import org.robolectric.util.ReflectionHelpers;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A phone with the app: starts its components as {@code am} does, touches its dialogs, and reads its answers. */
final class Phone {
    final Application application = RuntimeEnvironment.getApplication();
    private final Deque<ActivityController<? extends Activity>> tasks = new ArrayDeque<>();

    /** What the last receiver told its caller, as {@code am broadcast} prints it. */
    int resultCode;

    String resultData = "";
    /** The last start of something that is not this app. */
    Intent left;

    Phone() {
        grant(true);
        ShadowLog.reset();
    }

    /** Gives the app its permissions, or takes them. */
    void grant(boolean granted) {
        ShadowSettings.setCanDrawOverlays(granted);
        NotificationManager notices = application.getSystemService(NotificationManager.class);
        shadowOf(notices).setNotificationsEnabled(granted);
    }

    /** {@code am start} or {@code am broadcast}. */
    void start(Intent intent) {
        try {
            Class<?> component = Class.forName(intent.getComponent().getClassName());
            if (BroadcastReceiver.class.isAssignableFrom(component)) {
                application.sendOrderedBroadcast(intent, null, heard(), null, 0, "", null);
                ShadowLooper.idleMainLooper();
            } else {
                startActivity(component.asSubclass(Activity.class), intent);
            }
        } catch (ReflectiveOperationException error) {
            throw new AssertionError(error);
        }
        settle();
    }

    private BroadcastReceiver heard() {
        return new BroadcastReceiver() {
            @Override
            public void onReceive(Context context, Intent intent) {
                resultCode = getResultCode();
                resultData = getResultData();
            }
        };
    }

    /** Nothing is left for the next test. */
    void end() {
        Followers.forget("");
        for (OpenDialog one : OpenDialogs.all()) {
            OpenDialogs.remove(one);
        }
    }

    private <T extends Activity> void startActivity(Class<T> activity, Intent intent) {
        ActivityController<T> controller = Robolectric.buildActivity(activity, intent);
        tasks.push(controller);
        controller.create();
        if (!controller.get().isFinishing()) {
            controller.start().postCreate(null).resume().visible().topActivityResumed(true);
        }
    }

    /** Lets what was posted run, and does the starts that the app asked for. */
    void settle() {
        ShadowLooper.idleMainLooper();
        tidy();
        ShadowApplication shadow = shadowOf(application);
        for (Intent next = shadow.getNextStartedActivity(); next != null; next = shadow.getNextStartedActivity()) {
            if (next.getComponent() != null && next.getComponent().getPackageName().equals(Contract.PACKAGE)) {
                start(next);
            } else {
                left = next;
            }
        }
        ShadowLooper.idleMainLooper();
    }

    private void tidy() {
        for (ActivityController<? extends Activity> task : new ArrayList<>(tasks)) {
            if (task.get().isFinishing()) {
                tasks.remove(task);
                if (!task.get().isDestroyed()) {
                    task.destroy();
                }
            }
        }
    }

    void pass(double seconds) {
        ShadowLooper.idleMainLooper(Math.round(seconds * 1000), TimeUnit.MILLISECONDS);
        settle();
    }

    /** The view of this name in the window in front, or null. */
    View view(String name) {
        int id = application.getResources().getIdentifier(name, "id", Contract.PACKAGE);
        List<View> windows = windows();
        for (int index = windows.size() - 1; index >= 0; index--) {
            View found = id == 0 ? null : windows.get(index).findViewById(id);
            if (found != null && found.isShown()) {
                return found;
            }
        }
        return null;
    }

    /** Roots of the windows of activities and overlays, the one in front last. */
    List<View> windows() {
        try {
            Class<?> global = Class.forName("android.view.WindowManagerGlobal");
            Object windows = ReflectionHelpers.callStaticMethod(global, "getInstance");
            List<View> views = ReflectionHelpers.getField(windows, "mViews");
            return new ArrayList<>(views);
        } catch (ClassNotFoundException error) {
            throw new AssertionError(error);
        }
    }

    String text(String name) {
        View view = view(name);
        return view instanceof TextView ? ((TextView) view).getText().toString() : null;
    }

    void touch(String name) {
        View view = view(name);
        if (view == null) {
            throw new AssertionError("nothing to touch: " + name);
        }
        view.performClick();
        settle();
    }

    void back() {
        Activity front = front();
        if (front != null) {
            front.onBackPressed();
        } else {
            for (int action : new int[] {KeyEvent.ACTION_DOWN, KeyEvent.ACTION_UP}) {
                last().dispatchKeyEvent(new KeyEvent(action, KeyEvent.KEYCODE_BACK));
            }
        }
        settle();
    }

    /** Touches the screen a little above the window in front. */
    void outside() {
        long now = SystemClock.uptimeMillis();
        for (int action : new int[] {MotionEvent.ACTION_DOWN, MotionEvent.ACTION_UP}) {
            MotionEvent event = MotionEvent.obtain(now, now, action, 5, -40, 0);
            Activity front = front();
            if (front != null) {
                front.dispatchTouchEvent(event);
            } else if (!windows().isEmpty()) {
                last().dispatchTouchEvent(event);
            }
        }
        settle();
    }

    Activity front() {
        tidy();
        return tasks.isEmpty() ? null : tasks.peek().get();
    }

    ActivityController<? extends Activity> task() {
        return tasks.peek();
    }

    /** Takes the place of the task in front, after its activity was made anew. */
    void replaceTask(ActivityController<? extends Activity> fresh) {
        tasks.poll();
        tasks.push(fresh);
    }

    private View last() {
        List<View> windows = windows();
        return windows.get(windows.size() - 1);
    }

    StatusBarNotification notification() {
        StatusBarNotification[] shown =
                application.getSystemService(NotificationManager.class).getActiveNotifications();
        return shown.length == 0 ? null : shown[shown.length - 1];
    }

    /** Touches the notification or one of its buttons, or swipes it away. */
    void notice(String how) {
        Notification shown = notification().getNotification();
        PendingIntent pending =
                how.equals("touch")
                        ? shown.contentIntent
                        : how.equals("swipe")
                                ? shown.deleteIntent
                                : shown.actions[how.equals("accept") ? 0 : 1].actionIntent;
        try {
            pending.send();
        } catch (PendingIntent.CanceledException error) {
            throw new AssertionError(error);
        }
        settle();
    }

    /** {@code content call}. */
    Bundle call(String method, String argument) {
        Bundle result = application.getContentResolver().call(Uri.parse("content://" + Contract.AUTHORITY), method, argument, null);
        settle();
        return result;
    }

    List<List<String>> rows(String path) {
        Uri uri = Uri.parse("content://" + Contract.AUTHORITY + "/" + path);
        List<List<String>> rows = new ArrayList<>();
        try (Cursor cursor = application.getContentResolver().query(uri, null, null, null, null)) {
            while (cursor.moveToNext()) {
                String[] row = new String[cursor.getColumnCount()];
                for (int column = 0; column < row.length; column++) {
                    row[column] = cursor.getString(column);
                }
                rows.add(Arrays.asList(row));
            }
        }
        return rows;
    }

    /** Tags and texts of the events that were logged. */
    List<List<String>> events(List<String> tags) {
        List<List<String>> events = new ArrayList<>();
        for (ShadowLog.LogItem item : ShadowLog.getLogs()) {
            if (tags.contains(item.tag)) {
                events.add(Arrays.asList(item.tag, item.msg));
            }
        }
        return events;
    }
}
