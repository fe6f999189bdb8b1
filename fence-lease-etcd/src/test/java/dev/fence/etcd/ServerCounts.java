package dev.fence.etcd;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/** What etcd itself has counted so far. */
record ServerCounts(List<String> lines) {

    static ServerCounts of(String endpoint) throws IOException, InterruptedException {
        HttpRequest metrics =
                HttpRequest.newBuilder(URI.create(endpoint + "/metrics")).build();
        return new ServerCounts(HttpClient.newHttpClient()
                .send(metrics, HttpResponse.BodyHandlers.ofString())
                .body()
                .lines()
                .toList());
    }

    /** The calls of a service, or of one method of it, that were begun. */
    long calls(String serviceOrMethod) {
        return sum("grpc_server_started_total", serviceOrMethod);
    }

    /** The messages that came to a service, or to one method of it, on streams too. */
    long messages(String serviceOrMethod) {
        return sum("grpc_server_msg_received_total", serviceOrMethod);
    }

    /** Events sent to watchers. */
    long events() {
        return sum("etcd_debugging_mvcc_events_total", "");
    }

    private long sum(String name, String word) {
        return lines.stream()
                .filter(line -> line.startsWith(name) && line.contains(word))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
