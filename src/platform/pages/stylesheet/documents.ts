/** Pages that are read like a letter, and printed; and charts. */
export const documents = /* css */ `.client-page { --serif: 'Iowan Old Style', 'Palatino Linotype', Palatino, 'Book Antiqua', Georgia, 'DejaVu Serif', serif; font-size: 1.0625rem; line-height: 1.65; }
.client-page h1, .client-page h2 { font-family: var(--serif); font-weight: 600; letter-spacing: -0.005em; }
.client-stripe { height: 8px; background: var(--accent); }
.client-cover { display: block; width: 100%; height: clamp(200px, 42vw, 520px); object-fit: cover; background: var(--line); }
.frame.client { padding-inline: max(16px, (100% - 1080px) / 2); padding-block: 24px 0; }
.frame.client main > * + * { margin-top: 24px; }
.client-head { position: relative; padding: clamp(20px, 4vw, 40px); border: 1px solid var(--line); border-radius: 14px; background: var(--surface); box-shadow: 0 10px 30px rgb(43 34 51 / 8%); }
.covered .client-head { margin-top: clamp(-120px, -9vw, -56px); }
.client-venue { margin: 0 0 16px; color: var(--accent); font-weight: 650; letter-spacing: 0.06em; }
.client-logo { width: auto; max-width: min(220px, 60%); height: auto; max-height: 72px; object-fit: contain; }
.client-head h1 { font-size: clamp(1.75rem, 1.2rem + 2.4vw, 2.75rem); line-height: 1.15; overflow-wrap: anywhere; }
.client-facts { margin: 14px 0 0; }
.client-facts > span { display: inline-block; max-width: 100%; overflow-wrap: anywhere; }
.client-facts > span:not(:last-child)::after { content: '·'; margin-inline: 0.5em; color: var(--quiet); }
.client-number { margin: 8px 0 0; font-size: 0.9375rem; }
.client-message { margin-block: 32px; padding-inline-start: 20px; border-inline-start: 3px solid var(--accent); font-family: var(--serif); font-size: 1.1875rem; }
.frame.client main > .client-part { margin-top: 40px; }
.client-part > * + * { margin-top: 14px; }
.client-part h2 { font-size: 1.625rem; }
.client-terms > .pre { color: var(--quiet); font-size: 0.9688rem; }
.gallery { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 10px; }
.gallery img { display: block; width: 100%; height: auto; aspect-ratio: 3 / 2; border-radius: 10px; background: var(--line); object-fit: cover; }
.gallery.of-1 { grid-template-columns: minmax(0, 1fr); }
.gallery.of-1 img { aspect-ratio: 16 / 9; }
.gallery:is(.of-3, .of-5) img:first-child { grid-column: 1 / -1; aspect-ratio: 2 / 1; }

.offer { width: 100%; border-collapse: collapse; }
.offer th, .offer td { padding: 14px 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
.offer thead th { padding-block: 6px; color: var(--quiet); font-size: 0.875rem; font-weight: 600; }
.offer thead th:first-child { width: 100%; }
.offer tbody th { font-weight: 400; overflow-wrap: anywhere; }
.offer .numeric { padding-inline-start: 16px; text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.offer thead .numeric { white-space: normal; }
.offer strong, .offer-rest, .offer tbody .offer-note { display: block; }
.offer-note { color: var(--quiet); font-size: 0.9063rem; font-weight: 400; }
.offer-rest { margin-top: 2px; }
.offer .offer-group > * { padding-block: 26px 8px; border-bottom: 2px solid var(--accent); font-size: 1.0625rem; font-weight: 650; }
.offer .offer-group > td { color: var(--quiet); font-weight: 400; }
.payments ol { display: grid; gap: 8px; margin: 10px 0 0; padding: 0; list-style: none; }
.payments li { display: flex; justify-content: space-between; gap: 16px; padding: 12px 16px; border-radius: 10px; background: var(--accent-soft); }
.payments li .offer-note { display: block; }
.payments li > strong { flex: none; font-variant-numeric: tabular-nums; }

.client-contact > div { display: flex; flex-wrap: wrap; gap: 16px 32px; }
.client-photo { width: 96px; height: 96px; border-radius: 50%; object-fit: cover; }
.client-contact address { display: grid; align-content: start; gap: 2px; font-style: normal; }
.client-contact address a { min-height: 24px; }
.client-next ol { display: grid; gap: 6px; }
.client-accept { border-top: 4px solid var(--accent); scroll-margin-top: 16px; }
.client-page details summary { min-height: 44px; align-content: center; cursor: pointer; font-weight: 600; }
.client-page details[open] summary { margin-bottom: 12px; }

.client-bar {
  position: sticky;
  bottom: 0;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 2px 16px;
  margin: 32px -16px 0;
  padding: 10px 16px max(10px, env(safe-area-inset-bottom));
  border-top: 1px solid var(--line);
  background: var(--surface);
  box-shadow: 0 -6px 20px rgb(43 34 51 / 8%);
}
.client-bar p { margin: 0; line-height: 1.3; }
.client-bar p > * { display: block; }
.client-bar .quiet { font-size: 0.8125rem; }
.client-bar-total strong { font-size: 1.1875rem; font-variant-numeric: tabular-nums; }
.client-bar-days { font-size: 0.9375rem; }
.client-bar p > .client-wide, .client-bar > .client-wide { display: none; }
.client-bar .button[aria-disabled] { opacity: 0.55; cursor: not-allowed; }
.client-page { scroll-padding-bottom: 96px; }
@media (width >= 1000px) {
  .frame.client { display: grid; grid-template-columns: minmax(0, 1fr) 288px; align-items: start; gap: 48px; padding-block-end: 64px; }
  .client-bar { top: 24px; bottom: auto; display: grid; justify-content: stretch; gap: 14px; margin: 0; padding: 24px; border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shadow); }
  .client-bar p > .client-wide, .client-bar > .client-wide { display: block; }
  .client-bar .quiet { font-size: 0.9375rem; }
  .client-bar-total strong { font-size: 1.875rem; line-height: 1.2; }
  .client-bar .button { justify-content: center; }
}
@media (width < 560px) {
  .offer .offer-tax { display: none; }
}

.pre { white-space: pre-line; overflow-wrap: anywhere; }
.sums { display: grid; gap: 8px; width: min(100%, 420px); margin: 24px 0 24px auto; }
.sums > div { display: flex; justify-content: space-between; gap: 24px; }
.sums dd { flex: none; margin: 0; font-variant-numeric: tabular-nums; white-space: nowrap; }
.sums .sum { padding-top: 8px; border-top: 2px solid var(--ink); font-size: 1.125rem; font-weight: 700; }
.client-answer { display: grid; gap: 16px; margin-top: 32px; padding: 0; border: 0; }
textarea.control { width: 100%; min-height: 88px; padding: 10px 12px; font: inherit; }

.thumbnails { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(220px, 100%), 1fr)); gap: 16px; margin-block: 24px; padding: 0; list-style: none; }
.thumbnails li { display: grid; align-content: space-between; gap: 8px; padding: 10px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
.thumbnails figure { margin: 0; overflow-wrap: anywhere; }
.thumbnails img { display: block; width: 100%; height: auto; aspect-ratio: 3 / 2; margin-bottom: 8px; border-radius: 6px; background: var(--line); object-fit: contain; }

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
  .client-page { font-size: 10.5pt; line-height: 1.45; }
  .frame.client { display: block; padding: 0; }
  .frame.client main > * + *, .frame.client main > .client-part { margin-top: 14pt; }
  .client-answer, .client-print, .client-bar, .client-page details { display: none; }
  .client-cover { height: 60mm; }
  .covered .client-head { margin-top: 8pt; }
  .client-head { padding: 0 0 10pt; border: 0; border-bottom: 1pt solid var(--line); border-radius: 0; box-shadow: none; }
  .client-head h1 { font-size: 22pt; }
  .offer thead { display: table-header-group; }
  .offer th, .offer td { padding-block: 5pt; }
  .offer tr, .gallery img, .payments { break-inside: avoid; }
  .sums { margin-block: 10pt; }
  @page { margin: 18mm; }
}
`;
