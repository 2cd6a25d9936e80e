package io.github.etcdgitops.gateway.store.call;

import io.github.etcdgitops.gateway.GatewayException.Kind;

/// Goes from page to page of one listing. How many objects there may be is for whoever reads them: this is for a server
/// whose pages have none, or come again.
public final class Paging {
    private static final int MOST_EMPTY = 1000;

    private final Call call;
    private String last = "";
    private int empty;

    public Paging(Call call) {
        this.call = call;
    }

    /// `next` is by what the next page is asked for; nothing where there is none.
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
