/** Pages that people work in all day: dense lists, boards, and the page of one thing with its history. */
export const work = /* css */ `.chips ul { display: flex; flex-wrap: wrap; gap: 8px; margin: 0; padding: 0; list-style: none; }
.chips a { display: inline-flex; align-items: center; gap: 0.4em; min-height: 36px; padding: 4px 12px; border: 1px solid var(--line); border-radius: 999px; background: var(--surface); color: var(--ink); font-size: 0.875rem; text-decoration: none; }
.chips a:hover { border-color: var(--accent); }
.chips [aria-current] { border-color: var(--accent); background: var(--accent-soft); color: var(--accent); font-weight: 620; }
.count { color: var(--quiet); font-weight: 400; font-variant-numeric: tabular-nums; }
.changes { display: grid; gap: 2px; margin: 4px 0 0; padding: 0; list-style: none; color: var(--quiet); font-size: 0.875rem; font-weight: 400; overflow-wrap: anywhere; }
.tags { display: flex; flex-wrap: wrap; gap: 4px; }
.two-lines { display: grid; gap: 1px; line-height: 1.3; }
.two-lines .quiet { font-size: 0.8125rem; font-weight: 400; }
.table thead a { color: inherit; text-decoration: none; }
.table thead a:hover { color: var(--ink); text-decoration: underline; }
.table [aria-sort='ascending'] a::after { content: ' ↑' / ''; }
.table [aria-sort='descending'] a::after { content: ' ↓' / ''; }

.board-bar { display: flex; flex-wrap: wrap; align-items: flex-end; gap: 12px; margin-bottom: 16px; }
.board-bar > .field { flex: 0 1 260px; }
.board { display: grid; gap: 12px; }
.board-column { min-width: 0; padding: 12px; border: 1px solid var(--line); border-radius: var(--radius); background: color-mix(in srgb, var(--quiet) 6%, var(--ground)); }
.board-column.over { outline: 2px solid var(--accent); }
.board-column h2 { font-size: 0.9375rem; }
.board-column ul { display: grid; gap: 8px; margin: 12px 0; padding: 0; list-style: none; }
.board-column > a { font-size: 0.875rem; }
.card { display: flex; gap: 10px; padding: 10px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); font-size: 0.9375rem; line-height: 1.35; overflow-wrap: anywhere; }
.card input { flex: none; width: 20px; height: 20px; margin: 1px 0 0; accent-color: var(--accent); }
.card .quiet { display: block; font-size: 0.8125rem; }
.card[draggable='true'] { cursor: grab; }

.lead-page, .lead-page > div { display: grid; gap: 20px; align-content: start; min-width: 0; }
.lead-page .section { padding: 16px; }
.lead-page .section > * + * { margin-top: 12px; }
.lead-page .descriptions > div { grid-template-columns: minmax(80px, 110px) minmax(0, 1fr); padding: 6px 0; font-size: 0.9375rem; }
.overview { display: grid; gap: 20px; align-items: start; }
.numbers { display: flex; flex-wrap: wrap; gap: 8px 32px; }
.numbers dt { color: var(--quiet); font-size: 0.875rem; }
.numbers dd { font-size: 1.5rem; font-weight: 680; font-variant-numeric: tabular-nums; }
.figures .section { display: grid; align-content: start; height: 100%; padding-block: 16px; }
.figures .section > * + * { margin-top: 8px; }
.figures h2 { font-size: 0.9375rem; }
.figures p { margin-bottom: 0; font-size: 0.875rem; }
.figures .numbers { margin-bottom: 0; }
.figures .numbers dt { font-size: 0.8125rem; }
.sparkline { margin: 0; }
.sparkline svg { display: block; width: 100%; height: 40px; }
.sparkline rect { fill: var(--accent); }
.checklist { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 260px), 1fr)); gap: 12px 24px; margin-bottom: 0; padding: 0; list-style: none; }
.checklist li { display: flex; gap: 10px; }
.checklist .tick { flex: none; width: 22px; height: 22px; border: 1px solid var(--control-line); border-radius: 50%; font-size: 0.875rem; line-height: 20px; text-align: center; }
.checklist .done { color: var(--quiet); }
.checklist .done .tick { border-color: transparent; background: var(--success-soft); color: var(--success); font-weight: 700; }
.checklist .hint { font-size: 0.875rem; }
.plain-list { display: grid; gap: 8px; margin-bottom: 0; padding: 0; list-style: none; }
.plain-list:empty { display: none; }
.plain-list > li { overflow-wrap: anywhere; }
.plain-list > .with-end { display: flex; justify-content: space-between; gap: 12px; }
.plain-list > .with-end > .quiet { flex: none; font-size: 0.875rem; }
.plain-list > li:has(> .form) { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 12px; align-items: center; }
.plain-list > li > .form { grid-area: 1 / 2 / span 2; }
.history { display: grid; margin: 0; padding: 0; list-style: none; }
.history > li { padding: 10px 0 10px 16px; border-left: 2px solid var(--line); }
.history p { margin: 0; }
.history .quiet { font-size: 0.8125rem; }
.history .said { margin-top: 6px; padding: 8px 12px; border-radius: 8px; background: color-mix(in srgb, var(--quiet) 8%, var(--surface)); white-space: pre-line; overflow-wrap: anywhere; }

@container main (width < 560px) {
  .chips ul { flex-wrap: nowrap; overflow-x: auto; }
  .chips a { white-space: nowrap; }
}
@container main (width >= 720px) {
  .board { grid-auto-flow: column; grid-auto-columns: minmax(232px, 1fr); align-items: start; padding-bottom: 8px; overflow-x: auto; }
  .overview { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .overview.figures { grid-template-columns: repeat(auto-fit, minmax(240px, 1fr)); }
  .overview > .section:has(.steps) { grid-column: 1 / -1; }
  .lead-page { grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); }
}
@container main (width >= 1040px) {
  .lead-page { grid-template-columns: minmax(240px, 3fr) minmax(0, 5fr) minmax(240px, 3fr); }
}
@container main (width >= 880px) {
  .table.dense :is(th, td) { height: 44px; padding: 5px 10px; font-size: 0.875rem; }
  .table.dense tbody th { min-width: 20ch; font-size: 0.9375rem; }
  .table.dense :is(th, td):has(.one-line) { width: 50%; min-width: 0; max-width: 0; }
  .table.wide.dense td[data-title]:not(.long) > div:has(.one-line) { max-width: none; }
  .table.dense .one-line { display: block; overflow: hidden; line-height: 24px; text-overflow: ellipsis; white-space: nowrap; }
  .table.dense .nowrap { white-space: nowrap; }
  .table.dense .control { min-height: 34px; margin-top: 0; padding: 3px 28px 3px 9px; font-size: 0.875rem; background-position: right 15px center, right 9px center; }
  .table.dense .button { min-height: 34px; padding: 3px 10px; font-size: 0.875rem; }
  .table.dense .form.inline > .field { min-width: 132px; }
}
time { white-space: nowrap; }
`;
