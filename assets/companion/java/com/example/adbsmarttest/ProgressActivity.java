package com.example.adbsmarttest;

import android.widget.ProgressBar;
import android.widget.TextView;

/** Shows a progress that stands still, moves to its end, or hangs on the way. */
public final class ProgressActivity extends DialogActivity {
    /** A dump of the screen needs a second without a change. */
    private static final long STEP_MS = 1500;

    private ProgressBar bar;
    private int seconds;
    private int hangsAt;

    @Override
    String usualTag() {
        return "ProgressActivityLogger";
    }

    @Override
    boolean closesOutside() {
        return true;
    }

    @Override
    Form form() {
        seconds = parameters.integer("param_duration_seconds", 0, 0, 86400);
        hangsAt = parameters.integer("param_hangs_at", 101, 0, 101);
        bar = new ProgressBar(look.context, null, android.R.attr.progressBarStyleHorizontal);
        bar.setId(R.id.dialog_progress_bar);
        bar.setProgressDrawable(new Shapes(look).progress());
        bar.setMax(100);
        return new Form()
                .texts(
                        R.id.progress_title, words.title(R.string.progress_title),
                        R.id.progress_message, words.message(R.string.progress_message))
                .middle(bar)
                .button(
                        Contract.ACCEPT, R.id.progress_button, words.onlyButton(R.string.cancel),
                        words.onlyEvent("EVENT:PROGRESS_CANCELLED"));
    }

    @Override
    void show(Form form) {
        super.show(form);
        if (seconds > 0) {
            step();
        } else {
            bar.setProgress(parameters.integer("param_progress", 0, 0, 100));
        }
    }

    private void step() {
        long steps = Math.max(1, (1000L * seconds + STEP_MS - 1) / STEP_MS);
        long length = 1000L * seconds / steps;
        long done = Math.min(steps, elapsed() / length);
        int percent = Math.min(Math.round(100f * done / steps), hangsAt);
        bar.setProgress(percent);
        if (percent >= 100) {
            finished();
            return;
        }
        say(R.id.progress_message, words.own(R.string.working).replace("{percent}", "" + percent));
        if (percent < hangsAt) {
            handler.postDelayed(
                    new Runnable() {
                        @Override
                        public void run() {
                            step();
                        }
                    },
                    (done + 1) * length - elapsed());
        }
    }

    private void finished() {
        if (parameters.flag("param_ends", false)) {
            end(Answer.without(Contract.FINISHED, ""));
            return;
        }
        say(R.id.progress_message, words.own(R.string.worked));
        say(R.id.progress_button, words.own(R.string.finish));
    }

    private void say(int view, String text) {
        ((TextView) findViewById(view)).setText(text);
    }
}
