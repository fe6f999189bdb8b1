package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.fence.Lease;
import dev.fence.SessionTiming;
import dev.fence.UnsupportedStoreException;
import dev.fence.fixtures.EtcdServer;
import io.etcd.jetcd.api.AuthEnableRequest;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthRoleAddRequest;
import io.etcd.jetcd.api.AuthRoleGrantPermissionRequest;
import io.etcd.jetcd.api.AuthRoleRevokePermissionRequest;
import io.etcd.jetcd.api.AuthUserAddRequest;
import io.etcd.jetcd.api.AuthUserGrantRoleRequest;
import io.etcd.jetcd.api.Permission;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An etcd with users: {@code app} may read and write below {@code app/}, and nothing else. */
class UserIT {

    private static final EtcdServer ETCD = EtcdServer.startOwn();
    private static final EtcdSettings SETTINGS = EtcdSettings.of(ETCD.endpoint())
            .withNamespace("app/leases")
            .withTiming(SessionTiming.ofTtl(Duration.ofSeconds(30)))
            .withUser("app", "of the app");

    private static final Permission KEYS_OF_APP = Permission.newBuilder()
            .setPermType(Permission.Type.READWRITE)
            .setKey(ByteString.copyFromUtf8("app/"))
            .setRangeEnd(ByteString.copyFromUtf8("app0"))
            .build();

    @BeforeAll
    static void enable() {
        try (EtcdClient client = new EtcdClient(EtcdSettings.of(ETCD.endpoint()))) {
            addUser(client, "root", "of root");
            addUser(client, "app", "of the app");
            permitApp(client);
            ask(client, AuthGrpc.getAuthEnableMethod(), AuthEnableRequest.getDefaultInstance());
        }
    }

    private static void permitApp(EtcdClient client) {
        ask(
                client,
                AuthGrpc.getRoleGrantPermissionMethod(),
                AuthRoleGrantPermissionRequest.newBuilder()
                        .setName("app")
                        .setPerm(KEYS_OF_APP)
                        .build());
    }

    @AfterAll
    static void end() {
        ETCD.close();
    }

    /** With a role of the same name. */
    private static void addUser(EtcdClient client, String name, String password) {
        ask(
                client,
                AuthGrpc.getUserAddMethod(),
                AuthUserAddRequest.newBuilder()
                        .setName(name)
                        .setPassword(password)
                        .build());
        ask(
                client,
                AuthGrpc.getRoleAddMethod(),
                AuthRoleAddRequest.newBuilder().setName(name).build());
        ask(
                client,
                AuthGrpc.getUserGrantRoleMethod(),
                AuthUserGrantRoleRequest.newBuilder()
                        .setUser(name)
                        .setRole(name)
                        .build());
    }

    private static <Q, R> void ask(EtcdClient client, MethodDescriptor<Q, R> method, Q request) {
        R unused = client.call(method, request, Duration.ofSeconds(20)).join();
    }

    private static void handOver(EtcdLeases leases, Lease held) throws Exception {
        CompletableFuture<Lease> waiting = LeasesContract.acquiring(leases, held.name());
        held.close();
        try (Lease next = waiting.get(20, TimeUnit.SECONDS)) {
            next.confirm();
            assertThat(next.token().isNewerThan(held.token())).isTrue();
        }
    }

    @Test
    void leasesAreGrantedHandedOverAndGivenBack() throws Exception {
        try (EtcdLeases leases = EtcdLeases.open(SETTINGS)) {
            Lease held = leases.acquire("a", EtcdCase.LONG);
            held.confirm();
            handOver(leases, held);
        }
    }

    @Test
    void aForgottenTokenIsAskedForAgainAndTheLeaseStays() throws Exception {
        try (EtcdLeases leases = EtcdLeases.open(SETTINGS)) {
            Lease held = leases.acquire("b", EtcdCase.LONG);
            ETCD.restart(); // it keeps tokens in memory only
            EtcdCase.soon().until(() -> EtcdCase.isHeld(held));
            held.confirm();
            handOver(leases, held);
        }
    }

    @Test
    void aTokenFromBeforeAChangeOfUsersIsAskedForAgain() throws Exception {
        try (EtcdLeases leases = EtcdLeases.open(SETTINGS)) {
            Lease held = leases.acquire("c", EtcdCase.LONG);
            try (EtcdClient root =
                    new EtcdClient(EtcdSettings.of(ETCD.endpoint()).withUser("root", "of root"))) {
                addUser(root, "another", "of another");
            }
            held.confirm();
            handOver(leases, held);
        }
    }

    /** Nothing was put, so there is nothing to remove. */
    @Test
    void whoMayNotQueueUpAnyMoreIsToldAndAsksNothingFurther() throws Exception {
        SessionTiming brisk = SessionTiming.ofTtl(EtcdCase.BRISK); // the next heartbeat is waited for
        try (EtcdLeases leases = EtcdLeases.open(SETTINGS.withTiming(brisk));
                EtcdClient root =
                        new EtcdClient(EtcdSettings.of(ETCD.endpoint()).withUser("root", "of root"))) {
            ask(
                    root,
                    AuthGrpc.getRoleRevokePermissionMethod(),
                    AuthRoleRevokePermissionRequest.newBuilder()
                            .setRole("app")
                            .setKey(KEYS_OF_APP.getKey())
                            .setRangeEnd(KEYS_OF_APP.getRangeEnd())
                            .build());
            long before = ServerCounts.of(ETCD.endpoint()).messages("\"Txn\"");
            try {
                assertThatThrownBy(() -> leases.acquire("d", EtcdCase.LONG))
                        .isInstanceOf(UnsupportedStoreException.class)
                        .hasMessageContaining("permission denied");
                long heartbeats = ServerCounts.of(ETCD.endpoint()).messages("LeaseKeepAlive");
                EtcdCase.soon().until(() -> ServerCounts.of(ETCD.endpoint()).messages("LeaseKeepAlive") > heartbeats);
                assertThat(ServerCounts.of(ETCD.endpoint()).messages("\"Txn\"")).isEqualTo(before + 1);
            } finally {
                permitApp(root);
            }
        }
    }

    @Test
    void withoutAUserTheMessageSaysHowToGiveOne() {
        assertThatThrownBy(
                        () -> EtcdLeases.open(EtcdSettings.of(ETCD.endpoint()).withNamespace("app/leases")))
                .isInstanceOf(UnsupportedStoreException.class)
                .hasMessageContaining("withUser");
    }

    @Test
    void aWrongPasswordIsRefusedAndNotRepeated() {
        assertThatThrownBy(() -> EtcdLeases.open(SETTINGS.withUser("app", "wrong secret")))
                .isInstanceOf(UnsupportedStoreException.class)
                .hasMessageContaining("\"app\"")
                .hasMessageContaining("authentication failed")
                .hasMessageNotContaining("wrong secret");
    }

    @Test
    void aNamespaceBeyondTheUsersRightsIsRefused() {
        assertThatThrownBy(() -> EtcdLeases.open(SETTINGS.withNamespace("elsewhere")))
                .isInstanceOf(UnsupportedStoreException.class)
                .hasMessageContaining("permission denied")
                .hasMessageContaining("below the namespace");
    }
}
