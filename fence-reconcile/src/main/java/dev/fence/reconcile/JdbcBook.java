package dev.fence.reconcile;

import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * The rows of a query, read through a cursor in one read-only snapshot (REPEATABLE READ), a page at a time. As long as it is read,
 * the database keeps what was deleted meanwhile: prefer a replica for very large books.
 */
public final class JdbcBook implements Book {

    private final String name;
    private final DataSource dataSource;
    private final String query;
    private final boolean sorted;
    private final RowMapper mapper;
    private final List<?> parameters;

    /** Makes an entry of the present row. */
    @FunctionalInterface
    public interface RowMapper {
        /**
         * The entry of the present row.
         *
         * @throws IllegalArgumentException if the row is no entry; it is reported with its number
         */
        BookEntry map(ResultSet row) throws SQLException;
    }

    private JdbcBook(
            String name, DataSource dataSource, String query, boolean sorted, RowMapper mapper, List<?> parameters) {
        this.name = name;
        this.dataSource = dataSource;
        this.query = query;
        this.sorted = sorted;
        this.mapper = mapper;
        this.parameters = parameters;
    }

    /**
     * A book of a query's rows.
     *
     * @param query without a semicolon; it goes to the database as it is
     * @param sorted whether the query says {@code ORDER BY <key> COLLATE "C"}; if not, the book is sorted on disk here
     */
    public static JdbcBook of(String name, DataSource dataSource, String query, boolean sorted, RowMapper mapper) {
        return new JdbcBook(name, dataSource, query, sorted, mapper, List.of());
    }

    /** What stands for the question marks of the query. */
    public JdbcBook withParameters(List<?> parameters) {
        return new JdbcBook(name, dataSource, query, sorted, mapper, List.copyOf(parameters));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean sorted() {
        return sorted;
    }

    @Override
    public BookReader open() throws IOException {
        return JdbcBookReader.open(this);
    }

    DataSource dataSource() {
        return dataSource;
    }

    String query() {
        return query;
    }

    RowMapper mapper() {
        return mapper;
    }

    List<?> parameters() {
        return parameters;
    }
}
