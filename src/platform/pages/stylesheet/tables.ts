/** Where there is room: rows and columns. Long words break, but no column gets so narrow that short ones do. */
const grid = (table: string) => /* css */ `
  ${table} :is(th, td) { padding: 12px; border-bottom: 1px solid var(--line); vertical-align: middle; }
  ${table} tr > :first-child { padding-left: 18px; }
  ${table} tr > :last-child { padding-right: 18px; }
  ${table} tbody th { min-width: calc(14ch + 24px); }
  ${table} td:not(.long)[data-title] > div:not(:has(form)) { max-width: 24ch; overflow-wrap: break-word; }
  ${table} .form.inline { flex-wrap: nowrap; }
  ${table} td:has(time) { min-width: calc(11ch + 24px); }
  ${table} td:has(code) { min-width: calc(17ch + 24px); }
  ${table} .long { width: 60%; }
  ${table} .numeric { text-align: right; white-space: nowrap; }
  ${table} td.numeric > div { margin-left: auto; }
  ${table} .row-actions { padding-block: 6px; text-align: right; }
  ${table} .row-actions .form { justify-content: flex-end; }
  main > ${table} { border: 1px solid var(--line); border-radius: var(--radius); border-collapse: separate; border-spacing: 0; background: var(--surface); box-shadow: var(--shadow); }
  main > ${table} tbody tr:last-child > * { border-bottom: 0; }
  .section > ${table} tr > :first-child { padding-left: 0; }
  .section > ${table} tr > :last-child { padding-right: 0; }
  .section > ${table} tbody tr:last-child > * { border-bottom: 0; padding-bottom: 0; }`;

/** Where there isn't: a list of cards, in which every cell says what it is. */
const cards = (table: string) => /* css */ `
  ${table}, ${table} :is(tbody, tr, caption, th, td) { display: block; }
  ${table} thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  ${table} thead:has(a) { display: none; }
  ${table} tr { padding: 14px 16px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); box-shadow: var(--shadow); }
  ${table} tr + tr { margin-top: 12px; }
  ${table} tbody th { margin-bottom: 6px; font-size: 1rem; }
  ${table} td { padding: 3px 0; }
  ${table} td[data-title] { display: grid; grid-template-columns: minmax(88px, 34%) minmax(0, 1fr); gap: 12px; }
  ${table} td[data-title]::before { content: attr(data-title); color: var(--quiet); }
  ${table} td.row-actions { margin-top: 8px; }
  .section > ${table} tr { padding-inline: 0; border-width: 1px 0 0; border-radius: 0; box-shadow: none; }
  .section > ${table} tr + tr { margin-top: 0; }
  .section > ${table} tr:last-child { padding-bottom: 0; }`;

export const tables = /* css */ `.table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; overflow-wrap: anywhere; }
.table caption { padding-bottom: 8px; font-size: 1.1875rem; font-weight: 650; text-align: left; }
.table th { font-weight: 600; text-align: left; }
.table th :is(code, .quiet) { font-weight: 400; }
.table thead th { color: var(--quiet); font-size: 0.875rem; overflow-wrap: normal; }
.table .numeric { font-variant-numeric: tabular-nums; }
.table .form.inline { gap: 8px; }
.table .form.inline > .field { flex: 1 1 112px; min-width: 112px; max-width: 220px; }
.table td > div > .field { min-width: 160px; }
.row-actions .button { padding-inline: 14px; font-size: 0.9375rem; }

@container main (width >= 640px) {${grid('.table:not(.wide)')}
}
@container main (width < 640px) {${cards('.table:not(.wide)')}
}
@container main (width >= 880px) {${grid('.table.wide')}
}
@container main (width < 880px) {${cards('.table.wide')}
}
`;
