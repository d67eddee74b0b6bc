package com.example.adbsmarttest;

/** Looks like Android's question for a permission. */
public final class PermissionActivity extends DialogActivity {
    @Override
    Form form() {
        return new Form()
                .icon(R.drawable.ic_location)
                .style(Form.Style.WIDE)
                .texts(
                        R.id.app_permission_title, words.title(R.string.app_permission_title),
                        R.id.app_permission_message, words.message())
                .button(
                        Contract.ACCEPT, R.id.app_permission_accept_button,
                        words.button("accept", R.string.app_permission_accept),
                        words.event("accept", "EVENT:PERMISSION_ACCEPTED"))
                .button(
                        Contract.MANAGE, R.id.app_permission_manage_button,
                        words.button("manage", R.string.app_permission_manage),
                        words.event("manage", "EVENT:PERMISSION_ONCE"))
                .button(
                        Contract.DENY, R.id.app_permission_deny_button,
                        words.button("deny", R.string.app_permission_deny),
                        words.event("deny", "EVENT:PERMISSION_DENIED"));
    }
}
