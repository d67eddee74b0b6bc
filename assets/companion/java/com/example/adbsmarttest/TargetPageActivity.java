package com.example.adbsmarttest;

import android.view.Gravity;
import android.view.View;
import android.widget.TextView;

/** The page that a redirection leads to. Its answers are those of the redirection. */
public final class TargetPageActivity extends DialogActivity {
    @Override
    String activityName() {
        return "RedirectActivity";
    }

    @Override
    int theme(boolean dark) {
        return dark ? R.style.Page_Dark : R.style.Page_Light;
    }

    @Override
    Form form() {
        return new Form();
    }

    @Override
    void show(Form form) {
        TextView text =
                new Shapes(look).text(R.id.target_text, words.own(R.string.target), 18, look.palette.title);
        text.setTextAlignment(View.TEXT_ALIGNMENT_CENTER);
        text.setGravity(Gravity.CENTER);
        text.setBackgroundColor(look.palette.dark ? 0xFF131314 : 0xFFFFFFFF);
        text.setPadding(look.px(24), look.px(24), look.px(24), look.px(24));
        setContentView(text);
    }
}
