package dev.fence.etcd;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Which certificates to trust, and which to show. The files are PEM and are read when the connection is made; new ones take
 * effect with the next {@link EtcdLeases#open}.
 *
 * @param trusted the authorities that etcd's certificates must come from; without it, those of the Java runtime
 * @param own what this process shows to an etcd that wants to see a certificate
 */
public record EtcdTls(Optional<Path> trusted, Optional<Own> own) {

    /** The authorities of the Java runtime, and no certificate of one's own: what {@code https} means without more. */
    public static final EtcdTls DEFAULTS = new EtcdTls(Optional.empty(), Optional.empty());

    /**
     * A certificate and its key.
     *
     * @param certificate the certificate, with those between it and an authority
     * @param key its private key, PKCS #8 and not encrypted
     */
    public record Own(Path certificate, Path key) {}

    public EtcdTls withTrusted(Path authorities) {
        return new EtcdTls(Optional.of(authorities), own);
    }

    public EtcdTls withOwn(Path certificate, Path key) {
        return new EtcdTls(trusted, Optional.of(new Own(certificate, key)));
    }
}
