package com.example.adbsmarttest;

import android.graphics.Typeface;
import android.graphics.drawable.GradientDrawable;
import android.text.InputType;
import android.util.TypedValue;
import android.view.View;
import android.widget.EditText;
import android.widget.LinearLayout;

/** Asks to sign in. What is typed is kept nowhere: an answer names the fields that were filled in. */
public final class LoginActivity extends DialogActivity {
    private EditText name;
    private EditText password;

    @Override
    boolean closesOutside() {
        return true;
    }

    @Override
    Form form() {
        name = field(R.id.username_edittext, R.string.username, InputType.TYPE_CLASS_TEXT);
        password =
                field(
                        R.id.password_edittext, R.string.password,
                        InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_VARIATION_PASSWORD);
        LinearLayout fields = new LinearLayout(look.context);
        fields.setOrientation(LinearLayout.VERTICAL);
        for (EditText field : new EditText[] {name, password}) {
            LinearLayout.LayoutParams place = new LinearLayout.LayoutParams(-1, -2);
            place.topMargin = look.px(8);
            fields.addView(field, place);
        }
        Form form =
                new Form()
                        .texts(
                                parameters.has("param_title") ? R.id.login_title : View.NO_ID,
                                words.title(R.string.sign_in),
                                R.id.login_message, words.message())
                        .middle(fields)
                        .button(
                                Contract.ACCEPT, R.id.login_button,
                                words.button("accept", R.string.sign_in), words.event("accept", ""))
                        .filled();
        if (!parameters.has("param_deny_btn_text")) {
            return form;
        }
        return form.button(
                Contract.DENY, R.id.login_deny_button,
                words.button("deny", R.string.cancel), words.event("deny", ""));
    }

    @Override
    String value(Form.Button touched) {
        if (touched == null || !touched.answer.equals(Contract.ACCEPT)) {
            return "";
        }
        boolean named = name.length() > 0;
        boolean secret = password.length() > 0;
        return (named ? "username" : "") + (named && secret ? "," : "") + (secret ? "password" : "");
    }

    private EditText field(int id, int hint, int type) {
        EditText field = new EditText(look.context);
        field.setId(id);
        field.setHint(words.own(hint));
        field.setInputType(type);
        field.setSingleLine(true);
        field.setTypeface(Typeface.DEFAULT);
        field.setTextAlignment(View.TEXT_ALIGNMENT_VIEW_START);
        field.setTextSize(TypedValue.COMPLEX_UNIT_SP, 16);
        field.setTextColor(look.palette.title);
        field.setHintTextColor(look.palette.text);
        GradientDrawable frame = new Shapes(look).rounded(0, 4);
        frame.setStroke(look.px(1), look.palette.outline);
        field.setBackground(frame);
        field.setPadding(look.px(16), look.px(16), look.px(16), look.px(16));
        field.setMinHeight(look.px(56));
        return field;
    }
}
