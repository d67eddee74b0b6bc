package com.example.adbsmarttest;

import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.graphics.drawable.Icon;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.service.notification.StatusBarNotification;

import java.util.ArrayList;
import java.util.List;

/** A notification that waits for an answer. The system keeps it when this process ends. */
final class OpenNotification implements OpenDialog {
    private static final String CHANNEL = "companion";
    private static final String EXTRAS = "companion_extras";
    private static final int ID = 1;

    private final Context context;
    private final Bundle extras;
    private final Showing showing;

    private OpenNotification(Context context, Bundle extras, Showing showing) {
        this.context = context;
        this.extras = extras;
        this.showing = showing;
    }

    static OpenNotification post(Context context, Bundle extras) {
        Showing showing = Showing.begin(context, "NotificationReceiver", new Parameters(extras));
        OpenNotification fresh = new OpenNotification(context, extras, showing);
        Followers.forget(showing.dialog);
        for (OpenDialog other : everything(context)) {
            if (other.showing().dialog.equals(showing.dialog)) {
                other.close();
            }
        }
        fresh.show();
        return fresh;
    }

    static OpenNotification restored(Context context, Bundle kept) {
        Bundle extras = kept.getBundle(EXTRAS);
        return new OpenNotification(context, extras == null ? new Bundle() : extras, Showing.restored(kept));
    }

    /** The windows of this process and the notifications that wait for an answer. */
    static List<OpenDialog> everything(Context context) {
        List<OpenDialog> open = new ArrayList<>(OpenDialogs.all());
        NotificationManager manager = context.getSystemService(NotificationManager.class);
        for (StatusBarNotification one : manager.getActiveNotifications()) {
            Bundle kept = one.getNotification().extras;
            if (one.getId() == ID && kept.containsKey(EXTRAS)) {
                open.add(restored(context, kept));
            }
        }
        return open;
    }

    private void show() {
        Parameters parameters = new Parameters(extras);
        Words words = new Words(Appearance.of(context, parameters).context, parameters);
        NotificationManager manager = context.getSystemService(NotificationManager.class);
        Bundle kept = new Bundle();
        showing.keep(kept);
        kept.putBundle(EXTRAS, extras);
        String message = words.message(R.string.notification_message);
        Notification.Builder builder =
                builder(manager, words)
                        .setSmallIcon(R.drawable.ic_bell)
                        .setContentTitle(words.title(R.string.notification_title))
                        .setContentText(message)
                        .setStyle(new Notification.BigTextStyle().bigText(message))
                        .setAutoCancel(true)
                        .setShowWhen(true)
                        .addExtras(kept)
                        .setContentIntent(intent(Contract.ACCEPT, kept))
                        .setDeleteIntent(intent("", kept))
                        .addAction(action(Contract.ACCEPT, words.button("accept", R.string.notification_accept), kept))
                        .addAction(action(Contract.DENY, words.button("deny", R.string.notification_deny), kept));
        if (parameters.has("param_app")) {
            builder.setSubText(parameters.text("param_app", ""));
        }
        manager.notify(showing.dialog, ID, builder.build());
        startTimeout(parameters.integer("param_timeout_seconds", 0));
    }

    @SuppressWarnings("deprecation")
    private Notification.Builder builder(NotificationManager manager, Words words) {
        if (Build.VERSION.SDK_INT < 26) {
            return new Notification.Builder(context)
                    .setPriority(Notification.PRIORITY_HIGH)
                    .setDefaults(Notification.DEFAULT_VIBRATE);
        }
        manager.createNotificationChannel(
                new NotificationChannel(
                        CHANNEL, words.own(R.string.channel), NotificationManager.IMPORTANCE_HIGH));
        return new Notification.Builder(context, CHANNEL);
    }

    private Notification.Action action(String answer, String words, Bundle kept) {
        Icon icon = Icon.createWithResource(context, R.drawable.ic_bell);
        return new Notification.Action.Builder(icon, words, intent(answer, kept)).build();
    }

    private PendingIntent intent(String answer, Bundle kept) {
        Intent intent = new Intent(context, NotificationAnswerReceiver.class).setAction(answer);
        intent.setData(
                new Uri.Builder()
                        .scheme("companion")
                        .appendPath(showing.dialog)
                        .appendPath(String.valueOf(showing.number))
                        .build());
        return PendingIntent.getBroadcast(
                context,
                0,
                intent.putExtras(kept),
                PendingIntent.FLAG_UPDATE_CURRENT | PendingIntent.FLAG_IMMUTABLE);
    }

    private void startTimeout(int seconds) {
        if (seconds > 0) {
            new Handler(Looper.getMainLooper())
                    .postDelayed(
                            new Runnable() {
                                @Override
                                public void run() {
                                    end(Answer.without(Contract.TIMEOUT, ""));
                                }
                            },
                            1000L * seconds);
        }
    }

    /** {@code button} is the word for the button; without one the notification was swiped away. */
    void answer(String button) {
        Words words = new Words(context, new Parameters(extras));
        if (button.equals(Contract.ACCEPT)) {
            end(new Answer(button, Contract.TOUCH, words.event("accept", "EVENT:NOTIFICATION_ACCEPTED"), ""));
        } else if (button.equals(Contract.DENY)) {
            end(new Answer(button, Contract.TOUCH, words.event("deny", "EVENT:NOTIFICATION_DENIED"), ""));
        } else {
            end(Answer.without(Contract.SWIPED, ""));
        }
    }

    private void end(Answer answer) {
        context.getSystemService(NotificationManager.class).cancel(showing.dialog, ID);
        String tag = new Parameters(extras).text("param_log_tag", Contract.EVENT_TAG);
        Answers.give(context, extras, showing, answer, tag);
    }

    @Override
    public Showing showing() {
        return showing;
    }

    @Override
    public void close() {
        end(Answer.without(Contract.CLOSED, ""));
    }
}
