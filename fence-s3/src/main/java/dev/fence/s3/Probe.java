package dev.fence.s3;

import dev.fence.BusyException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Finds out whether a store keeps the two promises that the protocol rests on: conditional PUTs are atomic, and a GET sees the
 * newest PUT. Works on scratch objects of its own and removes them.
 */
final class Probe {

    static final String PERMISSIONS = "fence needs s3:GetObject, s3:PutObject and s3:DeleteObject on the objects,"
            + " s3:ListBucket on the bucket (without it, a missing object is answered by 403 instead of 404),"
            + " and s3:AbortMultipartUpload to publish payloads";

    private static final String MADE_UP_TAG = "\"00000000000000000000000000000000\"";

    /** A store that did what it must not do. */
    private static final class Bent extends Exception {
        private Bent(String seen) {
            super(seen);
        }
    }

    /** Throws if the store is bent, and tells what was seen otherwise. */
    private interface Check {
        String run(String key) throws Bent;
    }

    private final Slots slots;
    private final ObjectStore store;
    private final String endpoint;
    private final String bucket;
    private final String folder;
    private final List<String> scratch = new ArrayList<>();
    private final List<ProbeReport.Check> seen = new ArrayList<>();

    Probe(Slots slots, String endpoint, String bucket) {
        this.slots = slots;
        this.store = slots.store();
        this.endpoint = endpoint;
        this.bucket = bucket;
        this.folder = slots.settings().prefix() + "fence-probe/" + UUID.randomUUID() + "/";
    }

    ProbeReport run() {
        try {
            check("create", this::create);
            check("create-twice", this::createTwice);
            check("right-tag", this::rightTag);
            check("stale-tag", this::staleTag);
            check("wrong-tag", this::wrongTag);
            check("missing-key", this::missingKey);
            check("removed-key", this::removedKey);
            try (ProbeRace race = new ProbeRace(store)) {
                check("racing-creates", key -> races(race, key, false));
                check("racing-writes", key -> races(race, key, true));
            }
        } finally {
            scratch.forEach(slots.payloads()::remove);
        }
        return new ProbeReport(endpoint, bucket, seen);
    }

    private void check(String name, Check check) {
        String key = scratchKey(name);
        try {
            seen.add(new ProbeReport.Check(name, true, check.run(key)));
        } catch (Bent e) {
            seen.add(new ProbeReport.Check(name, false, String.valueOf(e.getMessage())));
        }
    }

    private String create(String key) throws Bent {
        requireStored(key, "first", new ObjectStore.Condition.Absent(), "If-None-Match on a missing key");
        return "a missing object can be created, and read at once";
    }

    private String createTwice(String key) throws Bent {
        requireStored(key, "first", new ObjectStore.Condition.Absent(), "If-None-Match on a missing key");
        requireRefused(key, "second", new ObjectStore.Condition.Absent(), "If-None-Match on an object that is there");
        requireContent(key, "first");
        return "creating it again was refused";
    }

    private String rightTag(String key) throws Bent {
        replaced(key);
        return "If-Match with the right tag replaced the bytes and changed the tag";
    }

    private String staleTag(String key) throws Bent {
        String stale = replaced(key);
        requireRefused(key, "third", new ObjectStore.Condition.Tag(stale), "If-Match with a tag that was replaced");
        requireContent(key, "second");
        return "If-Match with a tag that was replaced was refused";
    }

    private String wrongTag(String key) throws Bent {
        requireStored(key, "first", new ObjectStore.Condition.Absent(), "If-None-Match on a missing key");
        requireRefused(key, "second", new ObjectStore.Condition.Tag(MADE_UP_TAG), "If-Match with a made-up tag");
        requireContent(key, "first");
        return "If-Match with a made-up tag was refused";
    }

    private String missingKey(String key) throws Bent {
        requireRefused(key, "first", new ObjectStore.Condition.Tag(MADE_UP_TAG), "If-Match on a missing key");
        requireNothing(key);
        return "If-Match on a missing key was refused and created nothing";
    }

    private String removedKey(String key) throws Bent {
        String tag = requireStored(key, "first", new ObjectStore.Condition.Absent(), "If-None-Match on a missing key");
        slots.payloads().delete(key);
        requireRefused(key, "second", new ObjectStore.Condition.Tag(tag), "If-Match on an object that was removed");
        requireNothing(key);
        return "If-Match on an object that was removed was refused and created nothing";
    }

    private String races(ProbeRace race, String key, boolean onTag) throws Bent {
        for (int round = 0; round < ProbeRace.ROUNDS; round++) {
            String roundKey = scratchKey(key.substring(folder.length()) + "-" + round);
            ObjectStore.Condition condition = new ObjectStore.Condition.Absent();
            if (onTag) {
                condition = new ObjectStore.Condition.Tag(
                        requireStored(roundKey, "first", condition, "If-None-Match on a missing key"));
            }
            ProbeRace.Finish finish = race.run(roundKey, condition);
            if (finish.winners().size() > 1) {
                throw new Bent("of " + ProbeRace.RACERS + " writes at once under one condition, "
                        + finish.winners().size() + " were carried out: conditions are not atomic");
            }
            requireContentAfter(finish, roundKey);
        }
        return "of " + ProbeRace.RACERS + " writes at once under one condition, at most one was carried out, in "
                + ProbeRace.ROUNDS + " rounds";
    }

    private void requireContentAfter(ProbeRace.Finish finish, String key) throws Bent {
        if (finish.winners().size() == 1) {
            requireContent(key, finish.winners().get(0));
        }
    }

    /** Creates and replaces an object; the tag that was replaced. */
    private String replaced(String key) throws Bent {
        String first =
                requireStored(key, "first", new ObjectStore.Condition.Absent(), "If-None-Match on a missing key");
        String second =
                requireStored(key, "second", new ObjectStore.Condition.Tag(first), "If-Match with the right tag");
        if (first.equals(second)) {
            throw new Bent("two writes of different bytes have the same tag " + first);
        }
        return first;
    }

    private String requireStored(String key, String content, ObjectStore.Condition condition, String what) throws Bent {
        Patience patience = slots.patience();
        Throwable last;
        do {
            ObjectStore.Put answer = store.put(key, bytes(content), condition);
            if (answer instanceof ObjectStore.Put.Stored stored) {
                String read = requireContent(key, content);
                if (!read.equals(stored.tag())) {
                    throw new Bent("PUT answered with tag " + stored.tag() + ", GET of the same bytes with " + read);
                }
                return stored.tag();
            }
            last = refusalOf(answer, what);
        } while (patience.pause());
        throw new BusyException("the probe of " + endpoint + " was not answered in time", last);
    }

    /** The cause of an answer that may be different next time. */
    private static Throwable refusalOf(ObjectStore.Put answer, String what) throws Bent {
        if (answer instanceof ObjectStore.Put.ConditionFailed || answer instanceof ObjectStore.Put.Missing) {
            throw new Bent(what + " was refused");
        }
        return passing(answer, what);
    }

    private void requireRefused(String key, String content, ObjectStore.Condition condition, String what) throws Bent {
        Patience patience = slots.patience();
        Throwable last;
        do {
            ObjectStore.Put answer = store.put(key, bytes(content), condition);
            if (answer instanceof ObjectStore.Put.ConditionFailed || answer instanceof ObjectStore.Put.Missing) {
                return;
            }
            if (answer instanceof ObjectStore.Put.Stored) {
                throw new Bent(what + " was carried out");
            }
            last = passing(answer, what);
        } while (patience.pause());
        throw new BusyException("the probe of " + endpoint + " was not answered in time", last);
    }

    /** Conflicts, throttling, server errors and a network that fails may pass; any other answer is the store's nature. */
    private static Throwable passing(ObjectStore.Put answer, String what) throws Bent {
        if (answer instanceof ObjectStore.Put.Rejected rejected) {
            throw Commit.rejected(rejected.cause());
        }
        if (answer instanceof ObjectStore.Put.NotSent notSent) {
            return notSent.cause();
        }
        Throwable cause = ((ObjectStore.Put.Ambiguous) answer).cause();
        if (cause instanceof AwsServiceException e) {
            boolean passes = e.statusCode() == 409
                    || e.statusCode() == 429
                    || (e.statusCode() >= 500 && e.statusCode() != 501)
                    || e.statusCode() == 412;
            if (!passes) {
                throw new Bent(what + " was answered with status " + e.statusCode());
            }
        } else if (!(cause instanceof SdkException)) {
            throw new Bent(what + ": " + cause.getMessage());
        }
        return cause;
    }

    private String requireContent(String key, String content) throws Bent {
        ObjectStore.Get.Found found = slots.findKey(key, slots.patience());
        if (found == null) {
            throw new Bent("an object that was just written is not there");
        }
        if (!Arrays.equals(found.bytes(), bytes(content))) {
            throw new Bent("a GET after PUT \"" + content + "\" read \""
                    + new String(found.bytes(), StandardCharsets.UTF_8) + "\"");
        }
        return found.tag();
    }

    private void requireNothing(String key) throws Bent {
        if (slots.findKey(key, slots.patience()) != null) {
            throw new Bent("a write that was refused created the object");
        }
    }

    private String scratchKey(String name) {
        String key = folder + name;
        scratch.add(key);
        return key;
    }

    static byte[] bytes(String content) {
        return ("fence probe: " + content).getBytes(StandardCharsets.UTF_8);
    }
}
