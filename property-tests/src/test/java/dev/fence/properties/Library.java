package dev.fence.properties;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The named timelines of the project, by the names of their files. */
final class Library {

    private static final Path FOLDER = Path.of("..", "timelines");
    private static final String ENDING = ".timeline";

    private Library() {}

    static List<String> names() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(ENDING))
                    .map(name -> name.substring(0, name.length() - ENDING.length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Script script(String name) {
        try {
            return ScriptParser.parse(Files.readString(FOLDER.resolve(name + ENDING)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
