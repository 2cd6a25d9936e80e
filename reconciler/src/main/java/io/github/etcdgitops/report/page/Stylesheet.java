package io.github.etcdgitops.report.page;

/// The page's only style sheet, for light and dark.
final class Stylesheet {
    static final String STYLE = """
        :root {
          color-scheme: light dark;
          --page: #ffffff; --ink: #1c2127; --faint: #57606a; --line: #d0d7de; --panel: #f6f8fa;
          --well: #1a7f37; --busy: #0a5bbd; --odd: #8a5a00; --bad: #c0202c;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #0f1419; --ink: #e4e9ef; --faint: #9aa6b2; --line: #333d47; --panel: #181f26;
            --well: #4cc26a; --busy: #71b2ff; --odd: #e0a83a; --bad: #ff7b7b;
          }
        }
        * { box-sizing: border-box; }
        html { background: var(--page); }
        body {
          margin: 0 auto; padding: 1rem; max-width: 84rem; background: var(--page); color: var(--ink);
          font: 15px/1.5 system-ui, sans-serif; overflow-wrap: break-word;
        }
        h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
        h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
        a { color: var(--busy); } p { margin: .4rem 0; } .faint { color: var(--faint); }
        code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
        :focus-visible { outline: 3px solid var(--busy); outline-offset: 2px; }
        [hidden] { display: none !important; }
        .counts { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0; padding: 0; }
        .counts button, .mark {
          font: inherit; color: var(--ink); background: var(--panel); border: 1px solid var(--line);
          border-left: .4rem solid var(--faint); border-radius: .35rem;
        }
        .counts button { padding: .35rem .7rem; cursor: pointer; }
        .counts button[aria-pressed=true] { outline: 2px solid var(--ink); }
        .banner { border: 1px solid var(--bad); border-left-width: .4rem; padding: .3rem .7rem; }
        .mark { display: inline-block; padding: 0 .45rem; white-space: nowrap; }
        .in_sync { border-left-color: var(--well) !important; } .changes { border-left-color: var(--busy) !important; }
        .suspended, .orphan { border-left-color: var(--odd) !important; }
        .held, .unknown, .rejected, .error { border-left-color: var(--bad) !important; }
        .warning { border-left-color: var(--odd) !important; }
        .search { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin: .75rem 0; }
        input[type=search] {
          font: inherit; padding: .4rem .6rem; width: min(28rem, 100%); color: var(--ink); background: var(--page);
          border: 1px solid var(--faint); border-radius: .35rem;
        }
        .wide { overflow-x: auto; border: 1px solid var(--line); border-radius: .35rem; }
        table { border-collapse: collapse; width: 100%; font-size: .93rem; }
        th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); }
        tr:last-child > td { border-bottom: 0; } thead th { background: var(--panel); white-space: nowrap; }
        td.name { min-width: 9rem; white-space: nowrap; } td.text { min-width: 14rem; } td.time { white-space: nowrap; }
        .bare { color: var(--bad); font-weight: 700; }
        details { border: 1px solid var(--line); border-radius: .35rem; margin: .5rem 0; }
        details.ring { content-visibility: auto; contain-intrinsic-size: auto 2.6rem; }
        details > summary { padding: .45rem .7rem; cursor: pointer; background: var(--panel); }
        details > div { padding: .25rem .8rem 1rem; }
        .sides { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; }
        .sides > .wide { flex: 1 1 20rem; }
        svg { max-width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
        .circle { fill: none; stroke: var(--line); stroke-width: 2; }
        .seat { fill: var(--page); stroke: var(--well); stroke-width: 3; } .seat.leader { fill: var(--well); }
        .seat.learner { stroke: var(--busy); stroke-dasharray: 4 3; }
        .seat.away { stroke: var(--bad); stroke-dasharray: 2 3; } svg text.leader { fill: var(--page); font-weight: 700; }
        .there { fill: var(--well); } .gone { fill: none; stroke: var(--bad); stroke-dasharray: 2 2; }
        .quorum { stroke: var(--ink); stroke-width: 2; } svg text.bare { fill: var(--bad); font-weight: 700; }
        ul.findings { padding: 0; list-style: none; } ul.findings li { margin: .35rem 0; }
        @media (max-width: 40rem) { body { padding: .6rem; } }
        @media print { .search { display: none; } details.ring { content-visibility: visible; } }
        """;

    private Stylesheet() {}
}
