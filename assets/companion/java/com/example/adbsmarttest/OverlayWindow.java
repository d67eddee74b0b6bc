package com.example.adbsmarttest;

import android.content.Context;
import android.graphics.PixelFormat;
import android.os.Build;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.WindowManager;
import android.widget.FrameLayout;

/** A dialog that belongs to no activity. */
final class OverlayWindow implements OpenDialog, FormView.Listener {
    private static final int BEFORE_ANDROID_8 = WindowManager.LayoutParams.TYPE_SYSTEM_ALERT;

    private final Context context;
    private final Bundle extras;
    private final Parameters parameters;
    private final Showing showing;
    private final WindowManager windows;
    private final Handler handler = new Handler(Looper.getMainLooper());
    private Frame frame;

    OverlayWindow(Context context, Bundle extras) {
        this.context = context;
        this.extras = extras;
        parameters = new Parameters(extras);
        showing = Showing.begin(context, "OverlayReceiver", parameters);
        windows = context.getSystemService(WindowManager.class);
    }

    void show() {
        OpenDialogs.add(this);
        Appearance look = Appearance.of(context, parameters);
        frame = new Frame(look.context);
        frame.addView(new FormView(look, form(new Words(look.context, parameters)), this));
        WindowManager.LayoutParams window = new WindowManager.LayoutParams();
        window.type =
                Build.VERSION.SDK_INT >= 26
                        ? WindowManager.LayoutParams.TYPE_APPLICATION_OVERLAY
                        : BEFORE_ANDROID_8;
        window.format = PixelFormat.TRANSLUCENT;
        WindowPlace.apply(window, look, parameters);
        windows.addView(frame, window);
        int seconds = parameters.integer("param_timeout_seconds", 0);
        if (seconds > 0) {
            handler.postDelayed(
                    new Runnable() {
                        @Override
                        public void run() {
                            end(Answer.without(Contract.TIMEOUT, ""));
                        }
                    },
                    1000L * seconds);
        }
    }

    private Form form(Words words) {
        return new Form()
                .texts(
                        R.id.overlay_title, words.title(R.string.title),
                        R.id.overlay_message, words.message(R.string.message))
                .button(
                        Contract.ACCEPT, R.id.overlay_accept_button, words.button("accept", R.string.ok),
                        words.event("accept", "EVENT:OVERLAY_ACCEPTED"))
                .button(
                        Contract.DENY, R.id.overlay_deny_button, words.button("deny", R.string.cancel),
                        words.event("deny", "EVENT:OVERLAY_DENIED"));
    }

    @Override
    public void touched(Form.Button button) {
        end(new Answer(button.answer, Contract.TOUCH, button.event, ""));
    }

    private void end(Answer answer) {
        if (frame == null) {
            return;
        }
        windows.removeView(frame);
        frame = null;
        handler.removeCallbacksAndMessages(null);
        OpenDialogs.remove(this);
        String tag = parameters.text("param_log_tag", Contract.EVENT_TAG);
        Answers.give(context, extras, showing, answer, tag);
    }

    @Override
    public Showing showing() {
        return showing;
    }

    @Override
    public void close() {
        end(Answer.without(Contract.CLOSED, ""));
    }

    /** Hears the back key and touches beside the dialog. */
    private final class Frame extends FrameLayout {
        Frame(Context context) {
            super(context);
        }

        @Override
        public boolean dispatchKeyEvent(KeyEvent event) {
            boolean released = event.getAction() == KeyEvent.ACTION_UP && !event.isCanceled();
            if (event.getKeyCode() != KeyEvent.KEYCODE_BACK) {
                return super.dispatchKeyEvent(event);
            }
            if (released && parameters.flag("param_back", true)) {
                end(Answer.without(Contract.BACK, ""));
            }
            return true;
        }

        @Override
        public boolean onTouchEvent(MotionEvent event) {
            float x = event.getX();
            float y = event.getY();
            boolean outside = x < 0 || y < 0 || x > getWidth() || y > getHeight();
            boolean down = event.getAction() == MotionEvent.ACTION_DOWN;
            if (down && outside && parameters.flag("param_outside", false)) {
                end(Answer.without(Contract.OUTSIDE, ""));
            }
            return true;
        }
    }
}
