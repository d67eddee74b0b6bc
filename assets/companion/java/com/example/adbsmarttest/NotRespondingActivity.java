package com.example.adbsmarttest;

/** Looks like Android's dialog about an app that does not answer. */
public final class NotRespondingActivity extends DialogActivity {
    @Override
    Form form() {
        return new Form()
                .style(Form.Style.ROWS)
                .texts(
                        R.id.not_responding_title, words.title(R.string.not_responding_title),
                        R.id.not_responding_message, words.message())
                .button(
                        Contract.ACCEPT, R.id.not_responding_accept_button,
                        words.button("accept", R.string.not_responding_accept),
                        words.event("accept", "EVENT:NOT_RESPONDING_ACCEPTED"), R.drawable.ic_close)
                .button(
                        Contract.DENY, R.id.not_responding_deny_button,
                        words.button("deny", R.string.not_responding_deny),
                        words.event("deny", "EVENT:NOT_RESPONDING_DENIED"), R.drawable.ic_clock);
    }
}
