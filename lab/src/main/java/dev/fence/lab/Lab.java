package dev.fence.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The lab: {@code script/lab}. */
final class Lab {

    private static final String USAGE =
            "usage: script/lab [--json FILE] [--page FILE] [--timelines N] [--seed S] [--lock L] [--resource R] [--fault F]";
    private static final int BAD_USE = 2;

    private Lab() {}

    public static void main(String[] args) throws IOException {
        Options options;
        try {
            options = Options.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println("script/lab: " + e.getMessage());
            System.err.println(USAGE);
            System.exit(BAD_USE);
            return;
        }
        long began = System.nanoTime();
        Report report = run(options);
        print(report.stories());
        print(report.table());
        print(String.format(Locale.ROOT, ", %d s\n", (System.nanoTime() - began) / 1_000_000_000));
        Path json = options.json();
        if (json != null) {
            Path folder = json.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(json, report.toJson());
        }
        Path page = options.page();
        if (page != null) {
            Files.writeString(page, Page.renewed(Files.readString(page), report));
        }
    }

    /** In the charset of the files, whatever the one of the platform can say. */
    private static void print(String text) {
        System.out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    static Report run(Options options) {
        return new Report(
                options,
                options.combinations().parallelStream()
                        .map(combination -> Result.of(combination, options.timelines(), options.seed()))
                        .toList());
    }

    static List<Combination> combinations() {
        List<Combination> all = new ArrayList<>();
        for (LockKind lock : LockKind.values()) {
            for (ResourceKind resource : ResourceKind.values()) {
                Stream.of(Fault.values())
                        .map(fault -> new Combination(lock, resource, fault))
                        .forEach(all::add);
            }
        }
        return all;
    }
}
