package dev.fence.mutants;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code mutants/*.mutants}:
 *
 * <pre>
 * file fence-jdbc/src/main/java/dev/fence/jdbc/JoinedTransaction.java
 * tests fence-jdbc JoinedTransactionIT
 *
 * mutant a-refusal-is-not-remembered
 * - if (refusal != null) {
 * + if (false) {
 * </pre>
 *
 * <p>{@code file}, {@code in} (an SQL function) and {@code tests} hold for the mutants that follow, until they are said anew; within
 * a mutant they hold for that one. {@code may-live} says why no test can be expected to notice it, {@code may-hang} why it
 * shows by tests that do not end. What is searched is in lines with {@code -}, what replaces it in lines with {@code +}.
 *
 * <p>The changed file alone is compiled again: a constant of it stays what it was in the classes that use it, so change it there.
 */
final class MutantFile {

    private final String name;
    private final List<Mutant> mutants = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private String file = "";
    private String tests = "";
    private @Nullable String function;

    private @Nullable String mutant;
    private @Nullable String ownTests;
    private @Nullable String mayLive;
    private @Nullable String mayHang;
    private final List<String> search = new ArrayList<>();
    private final List<String> replacement = new ArrayList<>();

    private MutantFile(String name) {
        this.name = name;
    }

    /** @throws IllegalArgumentException naming the line, and what is wrong with it */
    static List<Mutant> parse(String name, String text) {
        MutantFile reader = new MutantFile(name);
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            try {
                reader.read(line);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(name + ":" + number + ": " + e.getMessage(), e);
            }
        }
        reader.end();
        return List.copyOf(reader.mutants);
    }

    private void read(String line) {
        if (line.isBlank()) {
            end();
        } else if (line.startsWith("- ")) {
            search.add(line.substring(2));
        } else if (line.startsWith("+ ") || line.equals("+")) {
            replacement.add(line.length() > 2 ? line.substring(2) : "");
        } else if (!line.startsWith("#")) {
            String[] words = line.split(" ", 2);
            set(words[0], words.length == 2 ? words[1].strip() : "");
        }
    }

    private void set(String word, String value) {
        switch (word) {
            case "mutant" -> {
                if (!names.add(value)) {
                    throw new IllegalArgumentException("a second mutant " + value);
                }
                mutant = value;
            }
            case "file" -> {
                file = value;
                function = null;
            }
            case "in" -> function = value.isEmpty() ? null : value;
            case "tests" -> {
                if (mutant == null) {
                    tests = value;
                } else {
                    ownTests = value;
                }
            }
            case "may-live" -> mayLive = value;
            case "may-hang" -> mayHang = value;
            default ->
                throw new IllegalArgumentException(
                        "\"" + word + "\" is none of mutant, file, in, tests, may-live, may-hang, -, +");
        }
    }

    private void end() {
        if (mutant == null) {
            return;
        }
        String[] words = (ownTests == null ? tests : ownTests).split(" ", -1);
        if (file.isEmpty() || words.length < 2 || search.isEmpty()) {
            throw new IllegalArgumentException(name + ": mutant " + mutant + " lacks a file, tests or what to search");
        }
        mutants.add(new Mutant(
                mutant,
                file,
                function,
                String.join("\n", search),
                String.join("\n", replacement),
                words[0],
                List.of(words).subList(1, words.length),
                mayLive,
                mayHang));
        mayLive = null;
        mayHang = null;
        mutant = null;
        ownTests = null;
        search.clear();
        replacement.clear();
    }
}
