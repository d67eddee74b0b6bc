package com.example.adbsmarttest;

import android.content.ContentProvider;
import android.content.ContentValues;
import android.content.Context;
import android.content.pm.PackageManager;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.net.Uri;
import android.os.Binder;
import android.os.Build;
import android.os.Bundle;
import android.os.Process;

import org.json.JSONObject;

import java.util.Arrays;
import java.util.List;

/** Tells a computer the version, the answers and the open dialogs, and closes dialogs for it. */
public final class CompanionProvider extends ContentProvider {
    @Override
    public boolean onCreate() {
        return true;
    }

    @Override
    public Cursor query(
            Uri uri, String[] projection, String selection, String[] arguments, String order) {
        if (selection != null || order != null) {
            throw new IllegalArgumentException("this provider has no conditions and no order");
        }
        switch (path(uri)) {
            case "version":
                Table version = new Table(Contract.VERSION_COLUMNS, projection);
                version.add(Contract.VERSION, Contract.VERSION_NAME, Build.VERSION.SDK_INT);
                return version.cursor;
            case "answers":
                return answers(projection);
            case "open":
                return open(projection);
            default:
                throw new IllegalArgumentException("unknown: " + uri);
        }
    }

    private Cursor answers(String[] projection) {
        Table table = new Table(Contract.ANSWER_COLUMNS, projection);
        for (JSONObject line : AnswerStore.all(getContext())) {
            Object[] values = new Object[Contract.ANSWER_COLUMNS.length];
            for (int index = 0; index < values.length; index++) {
                values[index] = line.opt(Contract.ANSWER_COLUMNS[index]);
            }
            table.add(values);
        }
        return table.cursor;
    }

    private Cursor open(String[] projection) {
        Table table = new Table(Contract.OPEN_COLUMNS, projection);
        for (OpenDialog one : OpenNotification.everything(getContext())) {
            Showing showing = one.showing();
            table.add(showing.dialog, showing.activity, showing.number, showing.shownAt);
        }
        for (Followers.Return one : Followers.waiting()) {
            table.add(one.dialog, one.activity, one.number, 0);
        }
        return table.cursor;
    }

    @Override
    public int delete(Uri uri, String selection, String[] arguments) {
        if (!path(uri).equals("answers") || selection != null) {
            throw new IllegalArgumentException("only all answers can be deleted");
        }
        return AnswerStore.clear(getContext());
    }

    /** Android leaves it to a provider to check who calls. */
    @Override
    public Bundle call(String method, String argument, Bundle extras) {
        requireGuard();
        Bundle result = new Bundle();
        if (method.equals("close")) {
            result.putInt("closed", close(argument == null ? "" : argument));
        } else if (method.equals("grants")) {
            result.putBoolean("overlay", Permissions.mayDrawOverApps(getContext()));
            result.putBoolean("notifications", Permissions.mayNotify(getContext()));
        } else {
            throw new IllegalArgumentException("unknown method: " + method);
        }
        return result;
    }

    private void requireGuard() {
        boolean own = Binder.getCallingUid() == Process.myUid();
        int held = getContext().checkCallingPermission(Contract.GUARD);
        if (!own && held != PackageManager.PERMISSION_GRANTED) {
            throw new SecurityException("only a caller with " + Contract.GUARD + " may do this");
        }
    }

    /** Closes this dialog, or all when the name is empty, and returns how many were open. */
    private int close(final String dialog) {
        final Context context = getContext();
        final int[] closed = new int[1];
        MainThread.run(
                new Runnable() {
                    @Override
                    public void run() {
                        closed[0] = closeNow(context, dialog);
                    }
                });
        return closed[0];
    }

    private static int closeNow(Context context, String dialog) {
        int closed = 0;
        Followers.forget(dialog);
        for (OpenDialog one : OpenNotification.everything(context)) {
            if (dialog.isEmpty() || one.showing().dialog.equals(dialog)) {
                one.close();
                closed++;
            }
        }
        return closed;
    }

    private static String path(Uri uri) {
        List<String> segments = uri.getPathSegments();
        return segments.size() == 1 ? segments.get(0) : "";
    }

    @Override
    public String getType(Uri uri) {
        return "vnd.android.cursor.dir/vnd." + Contract.AUTHORITY;
    }

    @Override
    public Uri insert(Uri uri, ContentValues values) {
        throw new UnsupportedOperationException("nothing can be inserted");
    }

    @Override
    public int update(Uri uri, ContentValues values, String selection, String[] arguments) {
        throw new UnsupportedOperationException("nothing can be changed");
    }

    /** Rows with the columns that were asked for. */
    private static final class Table {
        private final List<String> known;
        private final String[] asked;
        final MatrixCursor cursor;

        Table(String[] known, String[] asked) {
            this.known = Arrays.asList(known);
            this.asked = asked == null ? known : asked;
            cursor = new MatrixCursor(this.asked);
        }

        void add(Object... values) {
            Object[] row = new Object[asked.length];
            for (int index = 0; index < asked.length; index++) {
                int place = known.indexOf(asked[index]);
                if (place < 0) {
                    throw new IllegalArgumentException("no column " + asked[index]);
                }
                row[index] = values[place];
            }
            cursor.addRow(row);
        }
    }
}
