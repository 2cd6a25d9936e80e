package io.github.etcdgitops.gateway.kube.api;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Counts requests, retries included, as `list pods` or `get /version`.
public final class ApiCounts implements Interceptor {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        count(key(request.method(), request.uri().getPath()));
    }

    void count(String key) {
        counts.computeIfAbsent(key, _ -> new LongAdder()).increment();
    }

    SortedMap<String, Long> snapshot() {
        var snapshot = new TreeMap<String, Long>();
        counts.forEach((key, count) -> snapshot.put(key, count.sum()));
        return Collections.unmodifiableSortedMap(snapshot);
    }

    public static String key(String method, String path) {
        List<String> parts = List.of(path.substring(1).split("/"));
        int start = parts.getFirst().equals("apis") ? 3 : 2;
        if (parts.size() <= start) {
            return method.toLowerCase(Locale.ROOT) + " " + path;
        }
        List<String> rest = parts.subList(start, parts.size());
        List<String> target =
                rest.size() > 2 && rest.getFirst().equals("namespaces") ? rest.subList(2, rest.size()) : rest;
        boolean named = target.size() > 1;
        String sub = target.size() > 2 ? "/" + target.get(2) : "";
        return verb(method, named) + " " + target.getFirst() + sub;
    }

    private static String verb(String method, boolean named) {
        return switch (method) {
            case "GET" -> named ? "get" : "list";
            case "POST" -> "create";
            case "PUT" -> "update";
            default -> method.toLowerCase(Locale.ROOT);
        };
    }
}
