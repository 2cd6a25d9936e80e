package io.github.etcdgitops.report.page;

/// The two parts of the page that are written as they are: their bytes are what the policy in its head names.
public final class PageParts {
    private PageParts() {}

    public static String style() {
        return "<style>" + Looks.STYLE + "</style>";
    }

    public static String script() {
        return "<script>" + Search.SCRIPT + "</script>";
    }
}
