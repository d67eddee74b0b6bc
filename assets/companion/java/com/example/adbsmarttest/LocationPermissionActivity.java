package com.example.adbsmarttest;

/** D-GARA's dialog with two buttons. */
public final class LocationPermissionActivity extends DialogActivity {
    @Override
    boolean closesOutside() {
        return true;
    }

    @Override
    Form form() {
        return new Form()
                .texts(
                        R.id.permission_title, words.title(R.string.title),
                        R.id.permission_message, words.message(R.string.message))
                .button(
                        Contract.ACCEPT, R.id.allow_button, words.button("allow", R.string.allow),
                        words.event("allow", "EVENT:PERMISSION_ALLOWED"))
                .button(
                        Contract.DENY, R.id.deny_button, words.button("deny", R.string.deny),
                        words.event("deny", "EVENT:PERMISSION_DENIED"));
    }
}
