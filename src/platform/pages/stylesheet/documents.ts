/** Pages that are read like a letter, and printed; and charts. */
export const documents = /* css */ `.frame.client { padding-inline: max(16px, (100% - 876px) / 2); }
.frame.client main > * + * { margin-top: 16px; }
.client-venue { margin: 0; color: var(--quiet); font-weight: 650; letter-spacing: 0.02em; }
.frame.client h1 { margin-top: 4px; overflow-wrap: anywhere; }
.frame.client h1 + .quiet { margin-top: 4px; }
.pre { white-space: pre-line; overflow-wrap: anywhere; }
.sums { display: grid; gap: 8px; width: min(100%, 420px); margin: 24px 0 24px auto; }
.sums > div { display: flex; justify-content: space-between; gap: 24px; }
.sums dd { flex: none; margin: 0; font-variant-numeric: tabular-nums; white-space: nowrap; }
.sums .sum { padding-top: 8px; border-top: 2px solid var(--ink); font-size: 1.125rem; font-weight: 700; }
.client-answer { display: grid; gap: 16px; margin-top: 32px; padding: 0; border: 0; }
.client-answer summary { min-height: 44px; align-content: center; cursor: pointer; font-weight: 600; }
.client-answer details[open] summary { margin-bottom: 12px; }
textarea.control { width: 100%; min-height: 88px; padding: 10px 12px; font: inherit; }

.section > .chart { display: grid; gap: 10px; margin: 16px 0 0; padding: 0; list-style: none; }
.chart li { display: grid; grid-template-columns: minmax(110px, 1fr) 3fr; align-items: center; gap: 4px 16px; }
.chart svg { display: block; width: 100%; height: 22px; }
.chart rect { fill: var(--accent); }
.chart .quiet { grid-column: 2; font-size: 0.9375rem; }
.chart li > a { display: grid; grid-column: 1 / -1; grid-template-columns: inherit; align-items: center; gap: 4px 16px; }
.columns { display: block; width: 100%; height: 160px; margin: 16px 0; }
.columns rect { fill: var(--accent); }
.columns a:hover rect, .columns a:focus-visible rect { fill: var(--ink); }

@media print {
  .frame.client { padding: 0; }
  .client-answer, .client-print { display: none; }
  .frame.client .table thead { display: table-header-group; }
  @page { margin: 18mm; }
}
`;
