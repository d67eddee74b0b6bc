package com.example.adbsmarttest;

/** Looks like Android's warning when storage runs out. */
public final class StorageWarningActivity extends DialogActivity {
    @Override
    Form form() {
        return new Form()
                .icon(R.drawable.ic_storage)
                .texts(
                        R.id.storage_title, words.title(R.string.storage_title),
                        R.id.storage_message, words.message(R.string.storage_message))
                .button(
                        Contract.ACCEPT, R.id.storage_accept_button,
                        words.button("accept", R.string.storage_accept),
                        words.event("accept", "EVENT:STORAGE_ACCEPTED"))
                .button(
                        Contract.DENY, R.id.storage_deny_button,
                        words.button("deny", R.string.storage_deny),
                        words.event("deny", "EVENT:STORAGE_DENIED"));
    }
}
