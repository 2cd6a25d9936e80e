package io.github.etcdgitops.gateway.store.call;

import io.github.etcdgitops.gateway.GatewayException.Kind;

/// Goes from page to page of one listing. The reader limits the number of objects; this limits a server
/// whose pages are empty or repeat.
public final class Paging {
    private static final int MOST_EMPTY = 1000;

    private final Call call;
    private String last = "";
    private int empty;

    public Paging(Call call) {
        this.call = call;
    }

    /// `next` is the token of the next page; `nothing` where the page had no objects.
    public void turned(String next, boolean nothing) {
        empty += nothing ? 1 : 0;
        boolean again = !next.isEmpty() && next.equals(last);
        if (again || empty > MOST_EMPTY) {
            throw call.refused(
                    Kind.REJECTED,
                    "the listing does not end: the store sends the same page again, or pages without objects; check"
                            + " the endpoint");
        }
        last = next;
    }
}
