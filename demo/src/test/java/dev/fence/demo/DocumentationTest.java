package dev.fence.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the documentation shows compiles: each {@code java} block is the body of a method of an application. */
class DocumentationTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```$");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");

    private static final String APPLICATION = """
            import dev.fence.*;
            import dev.fence.effects.*;
            import dev.fence.etcd.*;
            import dev.fence.jdbc.*;
            import dev.fence.migrations.*;
            import dev.fence.reconcile.*;
            import dev.fence.s3.*;
            import dev.fence.spi.*;
            import java.math.BigDecimal;
            import java.nio.file.Path;
            import java.sql.Connection;
            import java.sql.SQLException;
            import java.time.*;
            import java.util.*;
            import javax.sql.DataSource;
            import software.amazon.awssdk.services.s3.S3Client;

            abstract class Application {
                abstract void postNextInvoice(Connection c) throws SQLException;
                abstract int countOpenInvoices(Connection c) throws SQLException;
                abstract byte[] append(Optional<ObjectValue> present);
                record Payment(String to, String amount) {}
                record Receipt(String number) {}
                abstract void postInvoice(Connection c, String invoice) throws SQLException;
                abstract void release(String reservation);

                void example%s throws Exception {
                    %s
                }
            }
            """;
    private static final List<String> GIVEN = List.of(
            "DataSource dataSource",
            "Leases leases",
            "Lease lease",
            "Fence<Connection> ledger",
            "FencedWriter<Connection> writer",
            "S3Client s3Client",
            "byte[] bytes",
            "Effects effects",
            "EffectChannel<Payment, Receipt> payouts",
            "Payment payment",
            "Map<String, Payment> payments",
            "String reservation",
            "Reconciliation books",
            "Path path");

    @TempDir
    private Path classes;

    static Stream<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> top = Files.list(ROOT)) {
            return Stream.concat(top, docs).filter(path -> path.toString().endsWith(".md")).toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyExampleCompiles(Path page) throws IOException {
        assertThat(BLOCK.matcher(Files.readString(page)).results().map(block -> block.group(1)))
                .allSatisfy(example -> assertThat(errorsIn(example)).isEmpty());
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkToAFileLeadsSomewhere(Path page) throws IOException {
        assertThat(LINK.matcher(Files.readString(page)).results().map(link -> link.group(1)))
                .allSatisfy(target -> assertThat(page.resolveSibling(target)).exists());
    }

    @Test
    void anExampleThatDoesNotCompileIsFound() {
        assertThat(errorsIn("ledger.check(lease);\n")).contains("cannot find symbol");
    }

    private String errorsIn(String example) {
        String given = String.join(
                ", ",
                GIVEN.stream()
                        .filter(parameter ->
                                !example.contains(parameter.substring(parameter.lastIndexOf(' ') + 1) + " = "))
                        .filter(parameter -> !example.contains(parameter + " "))
                        .toList());
        String source = APPLICATION.formatted("(" + given + ")", example);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter errors = new StringWriter();
        boolean compiled = compiler.getTask(
                        errors,
                        null,
                        null,
                        List.of("-proc:none", "-d", classes.toString()),
                        null,
                        List.of(inMemory(source)))
                .call();
        return compiled ? "" : errors + "\n" + source;
    }

    private static JavaFileObject inMemory(String source) {
        return new SimpleJavaFileObject(URI.create("string:///Application.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }
}
