package dev.fence.etcd;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An authority and what it has signed, made by the JDK's keytool, as PEM files. */
final class Certificates {

    private static final String PASSWORD = "changeit";

    private final Path folder;

    /** Makes the authority. */
    Certificates(Path folder) throws Exception {
        this.folder = folder;
        Files.createDirectories(folder);
        generate("ca", "-ext", "bc:c");
        keytool(
                "-exportcert",
                "-rfc",
                "-alias",
                "ca",
                "-keystore",
                store("ca"),
                "-file",
                pem("ca").toString());
    }

    Path authority() {
        return pem("ca");
    }

    /** Makes a key and a certificate for 127.0.0.1. */
    EtcdTls.Own signed(String name) throws Exception {
        generate(name);
        String request = folder.resolve(name + ".request").toString();
        keytool("-certreq", "-alias", name, "-keystore", store(name), "-file", request);
        keytool(
                "-gencert",
                "-rfc",
                "-alias",
                "ca",
                "-keystore",
                store("ca"),
                "-infile",
                request,
                "-ext",
                "SAN=ip:127.0.0.1",
                "-outfile",
                pem(name).toString());
        return new EtcdTls.Own(pem(name), key(name));
    }

    private void generate(String alias, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-validity",
                "2",
                "-dname",
                "CN=" + alias,
                "-keystore",
                store(alias),
                "-storetype",
                "PKCS12"));
        arguments.addAll(List.of(more));
        keytool(arguments.toArray(String[]::new));
    }

    private static void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException(command + ": " + said);
        }
    }

    private Path key(String alias) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(Path.of(store(alias)))) {
            keys.load(in, PASSWORD.toCharArray());
        }
        byte[] encoded = keys.getKey(alias, PASSWORD.toCharArray()).getEncoded();
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        return Files.writeString(
                folder.resolve(alias + ".key"),
                "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n");
    }

    private String store(String alias) {
        return folder.resolve(alias + ".p12").toString();
    }

    private Path pem(String alias) {
        return folder.resolve(alias + ".pem");
    }
}
