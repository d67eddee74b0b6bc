package com.example.adbsmarttest;

import android.app.Activity;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import android.view.MotionEvent;
import android.view.View;
import android.view.WindowManager;

/**
 * An activity that shows a dialog and gives its answer once, through rotation and the death of its process.
 */
abstract class DialogActivity extends Activity implements OpenDialog {
    final Handler handler = new Handler(Looper.getMainLooper());
    Parameters parameters;
    Appearance look;
    Words words;
    private Showing showing;
    private boolean over;

    /** What the dialog shows. */
    abstract Form form();

    /** The tag of its events when the intent names none. */
    String usualTag() {
        return Contract.EVENT_TAG;
    }

    /** The name under which its answers are kept. */
    String activityName() {
        return getClass().getSimpleName();
    }

    /** Whether a touch beside the dialog closes it when the intent does not say; D-GARA's do. */
    boolean closesOutside() {
        return false;
    }

    /** What the person gave until now. */
    String value(Form.Button touched) {
        return "";
    }

    int theme(boolean dark) {
        return dark ? R.style.Dialog_Dark : R.style.Dialog_Light;
    }

    @Override
    protected void onCreate(Bundle kept) {
        parameters = Parameters.of(getIntent());
        setTheme(theme(Appearance.isDark(this, parameters)));
        super.onCreate(kept);
        showing =
                kept == null
                        ? Showing.begin(this, activityName(), parameters)
                        : Showing.restored(kept);
        look = Appearance.of(this, parameters);
        words = new Words(look.context, parameters);
        if (AnswerStore.has(this, showing)) {
            over = true;
            finish();
            return;
        }
        OpenDialogs.add(this);
        setFinishOnTouchOutside(false);
        show(form());
        startTimeout();
    }

    /** Puts the dialog into the window. */
    void show(Form form) {
        setTitle(form.title);
        setContentView(
                new FormView(
                        look,
                        form,
                        new FormView.Listener() {
                            @Override
                            public void touched(Form.Button button) {
                                answer(button);
                            }
                        }));
        WindowManager.LayoutParams window = getWindow().getAttributes();
        WindowPlace.apply(window, look, parameters);
        getWindow().setAttributes(window);
    }

    private void startTimeout() {
        int seconds = parameters.integer("param_timeout_seconds", 0);
        if (seconds > 0) {
            handler.postDelayed(
                    new Runnable() {
                        @Override
                        public void run() {
                            end(Answer.without(Contract.TIMEOUT, value(null)));
                        }
                    },
                    Math.max(0, 1000L * seconds - elapsed()));
        }
    }

    /** Milliseconds since this showing began. */
    final long elapsed() {
        return SystemClock.elapsedRealtime() - showing.started;
    }

    void answer(Form.Button button) {
        end(new Answer(button.answer, Contract.TOUCH, button.event, value(button)));
    }

    /** Gives the answer, if there is none yet, and closes. */
    final void end(Answer answer) {
        if (over) {
            return;
        }
        over = true;
        OpenDialogs.remove(this);
        String tag = parameters.text("param_log_tag", usualTag());
        Answers.give(this, extras(), showing, answer, tag);
        finish();
    }

    private Bundle extras() {
        Bundle extras = getIntent().getExtras();
        return extras == null ? new Bundle() : extras;
    }

    @Override
    public final Showing showing() {
        return showing;
    }

    @Override
    public final void close() {
        end(Answer.without(Contract.CLOSED, value(null)));
    }

    @Override
    public void onBackPressed() {
        if (parameters.flag("param_back", true)) {
            end(Answer.without(Contract.BACK, value(null)));
        }
    }

    @Override
    public boolean onTouchEvent(MotionEvent event) {
        boolean down = event.getAction() == MotionEvent.ACTION_DOWN;
        if (down && isOutside(event) && parameters.flag("param_outside", closesOutside())) {
            end(Answer.without(Contract.OUTSIDE, value(null)));
            return true;
        }
        return super.onTouchEvent(event);
    }

    private boolean isOutside(MotionEvent event) {
        View window = getWindow().getDecorView();
        float x = event.getX();
        float y = event.getY();
        return x < 0 || y < 0 || x > window.getWidth() || y > window.getHeight();
    }

    @Override
    protected void onSaveInstanceState(Bundle kept) {
        super.onSaveInstanceState(kept);
        showing.keep(kept);
    }

    @Override
    protected void onDestroy() {
        handler.removeCallbacksAndMessages(null);
        if (isFinishing()) {
            close();
        }
        super.onDestroy();
    }
}
