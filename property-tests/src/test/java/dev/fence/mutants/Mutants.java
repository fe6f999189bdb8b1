package dev.fence.mutants;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** {@code script/mutants}: arguments are the root of the project, the console launcher's jar, and names of mutants, or none for all. */
final class Mutants {

    private static final int AT_ONCE = 2;
    private static final int BAD_USE = 2;
    /** For the tests of one mutant. */
    private static final long LONGEST_SECONDS = 150;
    /** For all tests of a module that any mutant names, once. */
    private static final long LONGEST_UNCHANGED_SECONDS = 900;

    private final Path root;
    private final Path work;
    private final TestRun tests;
    private int undecided;

    private Mutants(Path root, Path console) {
        this.root = root;
        this.work = root.resolve("target/mutants");
        this.tests = new TestRun(root, console);
    }

    public static void main(String[] args) throws InterruptedException {
        try {
            Mutants mutants = new Mutants(Path.of(args[0]), Path.of(args[1]));
            System.exit(mutants.run(Set.copyOf(List.of(args).subList(2, args.length))) ? 0 : 1);
        } catch (IllegalArgumentException | IOException | TimeoutException e) {
            System.err.println("script/mutants: " + e.getMessage());
            System.exit(BAD_USE);
        }
    }

    private boolean run(Set<String> wanted) throws IOException, InterruptedException, TimeoutException {
        List<Mutant> all = read();
        for (String name : wanted) {
            if (all.stream().noneMatch(mutant -> mutant.name().equals(name))) {
                throw new IllegalArgumentException("there is no mutant " + name);
            }
        }
        List<Mutant> mutants = all.stream()
                .filter(mutant -> wanted.isEmpty() || wanted.contains(mutant.name()))
                .toList();
        for (Mutant mutant : mutants) {
            mutant.applyTo(Files.readString(root.resolve(mutant.file()))); // refuses before anything runs
        }
        Files.createDirectories(work);
        requireGreen(mutants);
        List<Mutant> survivors = kill(mutants);
        long explained =
                survivors.stream().filter(mutant -> mutant.mayLive() != null).count();
        System.out.println(mutants.size() + " mutants, " + (mutants.size() - survivors.size() - undecided) + " killed, "
                + survivors.size() + " survived" + (explained > 0 ? " (" + explained + " of them explained)" : "")
                + (undecided > 0 ? ", " + undecided + " undecided" : ""));
        return survivors.size() == explained && undecided == 0;
    }

    private List<Mutant> read() throws IOException {
        List<Mutant> mutants = new ArrayList<>();
        try (Stream<Path> files = Files.list(root.resolve("mutants"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".mutants"))
                    .sorted()
                    .toList()) {
                mutants.addAll(MutantFile.parse(file.getFileName().toString(), Files.readString(file)));
            }
        }
        return mutants;
    }

    /** Tests that fail anyway would kill everything. */
    private void requireGreen(List<Mutant> mutants) throws IOException, InterruptedException, TimeoutException {
        Map<String, Set<String>> byModule = new TreeMap<>();
        mutants.forEach(mutant -> byModule.computeIfAbsent(mutant.module(), m -> new LinkedHashSet<>())
                .addAll(mutant.tests()));
        TestRun.Copy none = new TestRun.Copy(root, root);
        for (Map.Entry<String, Set<String>> module : byModule.entrySet()) {
            Path log = work.resolve(module.getKey() + "-unchanged.log");
            Optional<String> failure = tests.failure(
                    module.getKey(), List.copyOf(module.getValue()), none, log, LONGEST_UNCHANGED_SECONDS);
            if (failure.isPresent()) {
                throw new IOException("without any mutant " + failure.get() + " fails already, see " + log);
            }
        }
    }

    /** Those that nothing has killed. */
    private List<Mutant> kill(List<Mutant> mutants) throws InterruptedException {
        ExecutorService workers = Executors.newFixedThreadPool(AT_ONCE, task -> {
            Thread thread = new Thread(task, "fence-mutants");
            thread.setDaemon(true);
            return thread;
        });
        List<Future<Optional<String>>> killers = new ArrayList<>();
        for (Mutant mutant : mutants) {
            killers.add(workers.submit(() -> killer(mutant)));
        }
        workers.shutdown();
        List<Mutant> survivors = new ArrayList<>();
        for (int i = 0; i < mutants.size(); i++) {
            Mutant mutant = mutants.get(i);
            String end;
            try {
                end = killers.get(i).get().map(test -> "killed by " + test).orElse("");
            } catch (ExecutionException e) {
                end = "UNDECIDED: " + e.getCause();
                undecided++;
            }
            if (end.isEmpty()) {
                survivors.add(mutant);
                end = mutant.mayLive() == null ? "SURVIVED" : "lives, as it may: " + mutant.mayLive();
            }
            System.out.printf("%-55s %s%n", mutant.name(), end);
        }
        return survivors;
    }

    /** What killed it, or empty. A time-out is no answer, unless the mutant says that it can be one. */
    private Optional<String> killer(Mutant mutant) throws IOException, InterruptedException, TimeoutException {
        Path own = work.resolve(mutant.name());
        delete(own);
        Path classes = root.resolve(moduleOf(mutant)).resolve("target/classes");
        TestRun.Copy copy = new TestRun.Copy(classes, own.resolve("classes"));
        copy(classes, copy.changed());
        String mutated = mutant.applyTo(Files.readString(root.resolve(mutant.file())));
        if (mutant.isJava()) {
            compile(mutant, mutated, own, copy.changed());
        } else {
            String resource = mutant.file().substring(mutant.file().indexOf("resources/") + "resources/".length());
            Files.writeString(copy.changed().resolve(resource), mutated);
        }
        try {
            return tests.failure(mutant.module(), mutant.tests(), copy, own.resolve("tests.log"), LONGEST_SECONDS);
        } catch (TimeoutException e) {
            if (mutant.mayHang() == null) {
                throw e;
            }
            return Optional.of("a time-out, as it may: " + mutant.mayHang());
        }
    }

    private static String moduleOf(Mutant mutant) {
        return mutant.file().substring(0, mutant.file().indexOf('/'));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
    }

    private void compile(Mutant mutant, String mutated, Path own, Path classes) throws IOException {
        Path source = own.resolve(Path.of(mutant.file()).getFileName());
        Files.writeString(source, mutated);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-proc:none", "-parameters", "-d", classes.toString(), "-cp", tests.classPath(moduleOf(mutant)));
            if (!compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(source))
                    .call()) {
                throw new IOException("mutant " + mutant.name() + " does not compile:\n" + said);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
