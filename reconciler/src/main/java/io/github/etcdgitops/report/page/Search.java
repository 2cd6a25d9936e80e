package io.github.etcdgitops.report.page;

/// The page's only script: a search and a filter over the rings, and links that open their targets. Without
/// it the page shows the same content.
final class Search {
    static final String SCRIPT = """
            'use strict';
            const rings = Array.from(document.querySelectorAll('[data-ring]'), (row) => ({
              row,
              part: document.getElementById(row.dataset.ring),
              words: row.dataset.words.toLowerCase(),
              situation: row.dataset.situation,
            }));
            const input = document.querySelector('input[type=search]');
            const counts = Array.from(document.querySelectorAll('button[data-situation]'));
            const shown = document.getElementById('shown');
            let only = '';
            function narrow() {
              const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
              let count = 0;
              for (const ring of rings) {
                const fits = (!only || ring.situation === only) && words.every((w) => ring.words.includes(w));
                ring.row.hidden = !fits;
                ring.part.hidden = !fits;
                count += fits ? 1 : 0;
              }
              shown.textContent = count === rings.length ? '' : count + ' of ' + rings.length + ' rings shown';
            }
            function reveal() {
              const part = document.getElementById(decodeURIComponent(location.hash.slice(1)));
              if (part && part.tagName === 'DETAILS') {
                part.open = true;
                part.scrollIntoView();
              }
            }
            let soon = 0;
            input.addEventListener('input', () => {
              clearTimeout(soon);
              soon = setTimeout(narrow, 80);
            });
            for (const button of counts) {
              button.addEventListener('click', () => {
                only = only === button.dataset.situation ? '' : button.dataset.situation;
                for (const other of counts) {
                  other.setAttribute('aria-pressed', String(other.dataset.situation === only));
                }
                narrow();
              });
            }
            document.querySelector('.search').hidden = false;
            addEventListener('hashchange', reveal);
            reveal();
            """;

    private Search() {}
}
