const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Bars reach over the days after theirs. The lanes of a week have one height, so that each bar has its lane to itself. */
const bars = range(2, 7)
  .map((days) => `.month .w${days} { width: calc(${days} * (100% + 9px) - 9px); }`)
  .join('\n  ');
const lanes = range(0, 2)
  .map((lane) => `.month .l${lane} { grid-row: ${lane + 1}; }`)
  .join('\n  ');

/** A month: a table of weeks where there is room, and a list of its days where there isn't. */
export const calendar = /* css */ `.calendar-bar { display: flex; flex-wrap: wrap; align-items: flex-end; justify-content: space-between; gap: 12px 24px; }
.calendar-bar .form.filters { display: flex; flex-wrap: wrap; }
.calendar-bar .form.filters > .field { flex: 1 1 148px; max-width: 260px; }
.calendar-bar .form.filters > a { padding-block: 8px; font-size: 0.9375rem; }
.month-bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; }
.month-bar nav { display: flex; gap: 6px; }
.month-bar .button { min-height: 38px; padding: 5px 14px; }
:where(.chip, .legend li, .availability td) { --tone: var(--accent); --tone-soft: var(--accent-soft); }
:where(.visit) { --tone: var(--success); --tone-soft: var(--success-soft); }
:where(.hold) { --tone: var(--warning); --tone-soft: var(--warning-soft); }
:where(.block) { --tone: var(--quiet); --tone-soft: color-mix(in srgb, var(--quiet) 14%, var(--surface)); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 12px 0 0; padding: 0; color: var(--quiet); font-size: 0.875rem; list-style: none; }
.legend li::before { content: ''; display: inline-block; width: 10px; height: 10px; margin-right: 6px; border: 1px solid var(--tone); border-left-width: 4px; border-radius: 2px; background: var(--tone-soft); }
.month { width: 100%; border-collapse: separate; border-spacing: 0; table-layout: fixed; }
.month abbr { text-decoration: none; }
.month ul { margin: 0; padding: 0; list-style: none; }
.month .date { color: inherit; text-decoration: none; }
.month .date:hover { text-decoration: underline; }
.chip a {
  display: block;
  border-left: 3px solid var(--tone);
  border-radius: 4px;
  background: var(--tone-soft);
  color: var(--ink);
  font-size: 0.8125rem;
  line-height: 1.35;
  text-decoration: none;
  overflow-wrap: anywhere;
}
.chip.hold a { border-left-style: dashed; }
.chip.visit a { border-left-style: double; border-left-width: 5px; }
.chip a:hover { background: color-mix(in srgb, var(--tone) 22%, var(--surface)); color: var(--ink); }
.chip b { font-variant-numeric: tabular-nums; font-weight: 620; }
.chip .about { color: var(--quiet); }

@container main (width >= 640px) {
  .month { border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); box-shadow: var(--shadow); overflow: hidden; }
  .month th { padding: 6px 8px; color: var(--quiet); font-size: 0.8125rem; font-weight: 600; text-align: left; }
  .month .day { position: relative; height: 104px; padding: 2px 4px 4px; border-top: 1px solid var(--line); vertical-align: top; }
  .month .day + .day { border-left: 1px solid var(--line); }
  .month .outside { background: var(--ground); }
  .month .date { display: block; padding: 3px 4px; font-size: 0.8125rem; }
  .month .date::after { content: ''; position: absolute; inset: 0; }
  .month .day:has(.date:hover) { background: color-mix(in srgb, var(--accent-soft) 45%, var(--surface)); }
  .month .outside .date { color: var(--quiet); }
  .month .date time { display: inline-block; min-width: 24px; padding: 1px 4px; border-radius: 999px; text-align: center; }
  .month [aria-current] .date time { background: var(--accent); color: var(--on-accent); font-weight: 650; }
  .month :is(.weekday, .month-name) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .month ul { display: grid; grid-auto-rows: 2.5rem; grid-template-columns: minmax(0, 1fr); gap: 3px; }
  .month .chip { position: relative; z-index: 1; min-width: 0; }
  .month .chip a { display: -webkit-box; max-height: 100%; min-height: 100%; padding: 2px 6px 0; border-bottom: 2px solid transparent; font-size: 0.75rem; line-height: 1.125rem; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
  .month .loose ul { grid-auto-rows: auto; }
  .month .loose .chip a { -webkit-line-clamp: 3; }
  .month .goes-on { visibility: hidden; }
  .month .more { position: relative; z-index: 1; display: block; padding: 3px 6px; border-radius: 4px; color: var(--quiet); font-size: 0.78125rem; font-weight: 600; text-decoration: none; }
  .month .more:hover { background: var(--accent-soft); color: var(--ink); }
  ${lanes}
  ${bars}
  .for-narrow { display: none; }
}
@container main (width < 640px) {
  .month, .month :is(tbody, tr, td) { display: block; }
  .month thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .month .day { padding: 4px 0 12px; border-top: 1px solid var(--line); }
  .month .day.free { padding-bottom: 4px; }
  .month .date { display: block; padding: 9px 4px; font-weight: 600; }
  .month .free .date { color: var(--quiet); font-weight: 400; }
  .month :is(.outside, .past), .month tbody tr:not(:has(.day:not(.outside, .past))) { display: none; }
  .month [aria-current] .date { color: var(--accent); font-weight: 650; }
  .month [aria-current] .date time::after { content: ' · Today'; }
  .month ul { display: grid; gap: 6px; }
  .month .chip a { padding: 9px 12px; font-size: 0.9375rem; }
  .month .more { display: block; padding: 9px 4px; font-size: 0.9375rem; }
}

.times { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 12px; width: 100%; }
.times > .hint { grid-column: 1 / -1; }
.said-words { max-width: 68ch; white-space: pre-line; overflow-wrap: anywhere; }
.day-page, .day-page > div { display: grid; gap: 16px; align-content: start; min-width: 0; }
.day-page h2 + p { margin: -8px 0 0; }
.day-list { display: grid; gap: 8px; margin-bottom: 0; padding: 0; list-style: none; }
.day-list .chip a { display: grid; gap: 2px; padding: 10px 14px; font-size: 0.9375rem; }
.day-list .about { font-size: 0.875rem; }
.day-list .dot { display: none; }
.day-page .section { padding: 16px; }
.day-page .section > * + * { margin-top: 12px; }
.day-page .descriptions > div { padding: 5px 0; font-size: 0.9375rem; }
@container main (width >= 880px) {
  .day-page:has(> :nth-child(2)) { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 24px; }
}

.scroller { overflow-x: auto; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); box-shadow: var(--shadow); }
@container main (width >= 640px) {
  .availability { min-width: 1180px; table-layout: fixed; }
  .availability thead th:first-child { width: 132px; }
}
.availability { width: 100%; border-collapse: separate; border-spacing: 0; font-size: 0.6875rem; line-height: 1.2; }
.availability :is(th, td) { border-bottom: 1px solid var(--line); text-align: center; }
.availability tr:last-child > * { border-bottom: 0; }
.availability thead th { padding: 6px 0; color: var(--quiet); font-weight: 600; }
.availability thead th:first-child { position: sticky; left: 0; z-index: 1; padding-left: 12px; background: var(--surface); font-size: 0.8125rem; text-align: left; }
.availability thead th span { display: block; font-weight: 400; }
.availability [aria-current] { color: var(--accent); }
.availability tbody th { position: sticky; left: 0; z-index: 1; min-width: 128px; max-width: 180px; padding: 8px 12px; background: var(--surface); font-size: 0.875rem; font-weight: 600; text-align: left; overflow-wrap: anywhere; }
.availability tbody th .quiet { display: block; font-size: 0.75rem; font-weight: 400; }
.availability td { min-width: 34px; padding: 1px; letter-spacing: -0.03em; }
.availability td a { display: grid; align-items: center; min-height: 40px; border-radius: 4px; background: var(--tone-soft); color: var(--tone); font-weight: 600; text-decoration: none; }
.availability td a:hover { outline: 2px solid var(--tone); outline-offset: -2px; }
.availability .free { --tone: var(--quiet); --tone-soft: transparent; }
.availability .free a { font-weight: 400; }
.availability .booked { --tone: var(--danger); --tone-soft: var(--danger-soft); }
.availability .held { --tone: var(--warning); --tone-soft: var(--warning-soft); }
.availability .visit_only { --tone: var(--success); --tone-soft: var(--success-soft); }
.availability .weekend { background: color-mix(in srgb, var(--quiet) 8%, var(--surface)); }
@container main (width < 640px) {
  .availability .past { display: none; }
}
`;
