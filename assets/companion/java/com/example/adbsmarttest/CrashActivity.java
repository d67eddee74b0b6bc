package com.example.adbsmarttest;

/** Looks like Android's dialog about an app that stopped. */
public final class CrashActivity extends DialogActivity {
    @Override
    Form form() {
        return new Form()
                .style(Form.Style.ROWS)
                .texts(
                        R.id.crash_title, words.title(R.string.crash_title),
                        R.id.crash_message, words.message())
                .button(
                        Contract.ACCEPT, R.id.crash_accept_button,
                        words.button("accept", R.string.crash_accept),
                        words.event("accept", "EVENT:CRASH_ACCEPTED"), R.drawable.ic_again)
                .button(
                        Contract.DENY, R.id.crash_deny_button,
                        words.button("deny", R.string.crash_deny),
                        words.event("deny", "EVENT:CRASH_DENIED"), R.drawable.ic_close);
    }
}
