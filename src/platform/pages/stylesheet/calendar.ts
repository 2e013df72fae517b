/** A month: a table of weeks where there is room, and a list of the days that hold something where there isn't. */
export const calendar = /* css */ `.month { width: 100%; border-collapse: separate; border-spacing: 0; table-layout: fixed; }
.month caption { padding-bottom: 12px; font-size: 1.1875rem; font-weight: 650; text-align: left; }
.month abbr { text-decoration: none; }
.month ul { display: grid; gap: 4px; margin: 4px 0 0; padding: 0; list-style: none; }
.month li {
  --tone: var(--accent);
  --tone-soft: var(--accent-soft);
  padding: 3px 8px;
  border-left: 3px solid var(--tone);
  border-radius: 4px;
  background: var(--tone-soft);
  color: var(--ink);
  font-size: 0.8125rem;
  line-height: 1.4;
  overflow-wrap: anywhere;
}
.month li.visit { --tone: var(--success); --tone-soft: var(--success-soft); }
.month li.hold { --tone: var(--warning); --tone-soft: var(--warning-soft); }
.month li.block { --tone: var(--danger); --tone-soft: var(--danger-soft); }
.month .at { font-variant-numeric: tabular-nums; font-weight: 600; }
.month .type { color: var(--tone); font-weight: 600; }

@container main (width >= 640px) {
  .month { border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); box-shadow: var(--shadow); overflow: hidden; }
  .month th { padding: 8px 10px; color: var(--quiet); font-size: 0.875rem; font-weight: 600; text-align: left; }
  .month .day { height: 92px; padding: 8px 8px 10px; border-top: 1px solid var(--line); vertical-align: top; }
  .month .day + .day { border-left: 1px solid var(--line); }
  .month .outside { background: var(--ground); }
  .month .outside time { color: var(--quiet); }
  .month [aria-current] time { display: inline-block; padding: 0 8px; border-radius: 999px; background: var(--accent); color: var(--on-accent); font-weight: 650; }
  .month :is(.weekday, .month-name) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
}
@container main (width < 640px) {
  .month, .month :is(caption, tbody, tr, td) { display: block; }
  .month thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .month .day { padding: 12px 16px; margin-bottom: 12px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); box-shadow: var(--shadow); }
  .month .day time { font-weight: 600; }
  .month .free:not([aria-current]), .month .outside, .month :is(tbody, tbody tr):not(:has(.day:not(.outside):is(:not(.free), [aria-current]))) { display: none; }
  .month [aria-current] { border-color: var(--accent); }
}
`;
