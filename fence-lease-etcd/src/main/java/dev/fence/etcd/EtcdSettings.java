package dev.fence.etcd;

import dev.fence.FenceEvents;
import dev.fence.SessionTiming;
import dev.fence.spi.Checks;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How to reach etcd and how to behave towards it. Impossible settings are refused here, before any I/O.
 *
 * @param endpoints the members' client URLs, such as {@code http://etcd-1:2379}, all {@code http} or all {@code https}; one
 *     or more, tried in turn
 * @param source the name of the token source, kept in every grant and every guard: 1 to 63 characters out of
 *     {@code a-z 0-9 . _ -}; default {@code etcd}. Two clusters need two names
 * @param namespace the prefix of every key: segments of {@code A-Z a-z 0-9 . _ -}, separated by {@code /}, at most 128
 *     characters; default {@code fence}. Processes of different namespaces do not exclude each other
 * @param timing time to live and margins of the session; default {@link SessionTiming#DEFAULTS}
 * @param label says to people which process this is, at most 255 UTF-8 bytes; default host name and process id. It is no
 *     identity: two processes with one label exclude each other like any two
 * @param events is told what happens; default {@link FenceEvents#NONE}
 * @param tls which certificates to trust and to show, with {@code https} endpoints alone; default {@link EtcdTls#DEFAULTS}
 * @param user of etcd's own, if it wants one; default none
 */
public record EtcdSettings(
        List<URI> endpoints,
        String source,
        String namespace,
        SessionTiming timing,
        String label,
        FenceEvents events,
        EtcdTls tls,
        Optional<EtcdUser> user) {

    private static final String FORM = "http://host:port or https://host:port";
    private static final int MAX_NAMESPACE = 128;
    private static final Pattern NAMESPACE = Pattern.compile("/?[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*");
    // The segment that follows the namespace in every key: with it inside, one namespace could lie within another's
    // keys.
    private static final Pattern VERSION_SEGMENT = Pattern.compile("(.*/)?v[0-9]+(/.*)?");

    /** @throws IllegalArgumentException if a setting breaks its rule */
    public EtcdSettings {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("endpoints is empty: at least one URL is needed");
        }
        endpoints.forEach(EtcdSettings::checkEndpoint);
        checkSecurity(endpoints, tls);
        Checks.source(source);
        checkNamespace(namespace);
        Checks.label("label", label);
    }

    /**
     * The defaults, for the etcd that answers at these URLs.
     *
     * @throws IllegalArgumentException if one is not of the form {@code http://host:port} or {@code https://host:port}
     */
    public static EtcdSettings of(String endpoint, String... more) {
        List<URI> endpoints = new ArrayList<>();
        endpoints.add(uri(endpoint));
        for (String each : more) {
            endpoints.add(uri(each));
        }
        return new EtcdSettings(
                endpoints,
                "etcd",
                "fence",
                SessionTiming.DEFAULTS,
                hostAndProcess(),
                FenceEvents.NONE,
                EtcdTls.DEFAULTS,
                Optional.empty());
    }

    public EtcdSettings withSource(String source) {
        return new EtcdSettings(endpoints, source, namespace, timing, label, events, tls, user);
    }

    public EtcdSettings withNamespace(String namespace) {
        return new EtcdSettings(endpoints, source, namespace, timing, label, events, tls, user);
    }

    public EtcdSettings withTiming(SessionTiming timing) {
        return new EtcdSettings(endpoints, source, namespace, timing, label, events, tls, user);
    }

    public EtcdSettings withLabel(String label) {
        return new EtcdSettings(endpoints, source, namespace, timing, label, events, tls, user);
    }

    public EtcdSettings withEvents(FenceEvents events) {
        return new EtcdSettings(endpoints, source, namespace, timing, label, events, tls, user);
    }

    /**
     * With these certificates.
     *
     * @throws IllegalArgumentException if the endpoints are not {@code https}
     */
    public EtcdSettings withTls(EtcdTls tls) {
        return new EtcdSettings(endpoints, source, namespace, timing, label, events, tls, user);
    }

    /**
     * As this user of etcd's own.
     *
     * @throws IllegalArgumentException if the name is empty
     */
    public EtcdSettings withUser(String name, String password) {
        return new EtcdSettings(
                endpoints, source, namespace, timing, label, events, tls, Optional.of(new EtcdUser(name, password)));
    }

    static boolean isSecure(URI endpoint) {
        return "https".equalsIgnoreCase(endpoint.getScheme());
    }

    private static void checkSecurity(List<URI> endpoints, EtcdTls tls) {
        long secure = endpoints.stream().filter(EtcdSettings::isSecure).count();
        if (secure != 0 && secure != endpoints.size()) {
            throw new IllegalArgumentException(
                    "endpoints " + endpoints + " are partly http and partly https: all must be the same");
        }
        if (secure == 0 && !tls.equals(EtcdTls.DEFAULTS)) {
            throw new IllegalArgumentException("endpoints " + endpoints + " are http, so " + tls
                    + " would be ignored and everything sent in the clear: https is needed");
        }
    }

    private static URI uri(String endpoint) {
        try {
            return URI.create(endpoint);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("endpoint \"" + endpoint + "\" is malformed: the form is " + FORM, e);
        }
    }

    private static void checkEndpoint(URI endpoint) {
        // First, and without repeating the endpoint: the message must not carry a password into a log.
        if (endpoint.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "an endpoint carries a user name: that belongs into withUser; the form is " + FORM);
        }
        String path = endpoint.getRawPath();
        boolean bare = (path == null || path.isEmpty() || path.equals("/"))
                && endpoint.getRawQuery() == null
                && endpoint.getRawFragment() == null;
        boolean known = isSecure(endpoint) || "http".equalsIgnoreCase(endpoint.getScheme());
        if (!known || endpoint.getHost() == null || endpoint.getPort() < 1 || endpoint.getPort() > 65_535 || !bare) {
            throw new IllegalArgumentException(
                    "endpoint " + endpoint + " is malformed: the form is " + FORM + ", with a port from 1 to 65535");
        }
    }

    private static void checkNamespace(String namespace) {
        if (namespace.length() > MAX_NAMESPACE
                || !NAMESPACE.matcher(namespace).matches()
                || VERSION_SEGMENT.matcher(namespace).matches()) {
            throw new IllegalArgumentException(
                    "namespace \"" + namespace + "\" is malformed: segments of A-Z a-z 0-9 . _ -"
                            + " separated by / are permitted, at most " + MAX_NAMESPACE
                            + " characters, no segment being v and a number");
        }
    }

    private static String hostAndProcess() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "unknown-host";
        }
        return host + " " + ProcessHandle.current().pid();
    }
}
