package com.example.adbsmarttest;

/** D-GARA's question about cookies, with three buttons. */
public final class CookieConsentActivity extends DialogActivity {
    @Override
    String usualTag() {
        return "CookieConsentLogger";
    }

    @Override
    boolean closesOutside() {
        return true;
    }

    @Override
    Form form() {
        return new Form()
                .texts(
                        R.id.cookie_title, words.title(R.string.cookie_title),
                        R.id.cookie_message, words.message(R.string.cookie_message))
                .button(
                        Contract.ACCEPT, R.id.accept_all_button, words.button("accept", R.string.accept),
                        words.event("accept", "EVENT:COOKIE_ACCEPTED_ALL"))
                .button(
                        Contract.DENY, R.id.reject_all_button, words.button("reject", R.string.reject),
                        words.event("reject", "EVENT:COOKIE_REJECTED_ALL"))
                .button(
                        Contract.MANAGE, R.id.manage_settings_button,
                        words.button("manage", R.string.manage),
                        words.event("manage", "EVENT:COOKIE_MANAGE_SETTINGS"))
                .filled();
    }
}
