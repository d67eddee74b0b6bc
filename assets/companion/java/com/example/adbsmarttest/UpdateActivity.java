package com.example.adbsmarttest;

/** Offers or demands an update of an app. */
public final class UpdateActivity extends DialogActivity {
    @Override
    Form form() {
        boolean named = !parameters.text("param_version", "").isEmpty();
        int message = named ? R.string.update_message_version : R.string.update_message;
        Form form =
                new Form()
                        .icon(R.drawable.ic_update)
                        .texts(
                                R.id.update_title, words.title(R.string.update_title),
                                R.id.update_message, words.message(message))
                        .button(
                                Contract.ACCEPT, R.id.update_accept_button,
                                words.button("accept", R.string.update_accept),
                                words.event("accept", "EVENT:UPDATE_ACCEPTED"))
                        .filled();
        if (parameters.flag("param_forced", false)) {
            return form;
        }
        return form.button(
                Contract.DENY, R.id.update_deny_button,
                words.button("deny", R.string.update_deny),
                words.event("deny", "EVENT:UPDATE_DENIED"));
    }
}
