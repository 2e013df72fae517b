/** Panels, notices and small pieces. */
export const content = /* css */ `.section {
  padding: 20px;
  border: 1px solid var(--line);
  border-radius: var(--radius);
  background: var(--surface);
  box-shadow: var(--shadow);
}
.section > * + * { margin-top: 16px; }
.section-intro { max-width: 68ch; color: var(--quiet); }
.section > h2 + .section-intro { margin-top: 4px; }
.section.danger { border-color: color-mix(in srgb, var(--danger) 45%, var(--line)); }
.section.danger > h2 { color: var(--danger); }

.notice { padding: 14px 16px; border-left: 4px solid var(--tone); border-radius: 6px; background: var(--tone-soft); }
.notice-title { margin-bottom: 4px; color: var(--tone); font-weight: 650; }
.notice a { color: inherit; }
.notice li + li { margin-top: 4px; }
.notice.info, .badge.info { --tone: var(--accent); --tone-soft: var(--accent-soft); }
.notice.success, .badge.success { --tone: var(--success); --tone-soft: var(--success-soft); }
.notice.warning, .badge.warning { --tone: var(--warning); --tone-soft: var(--warning-soft); }
.notice.danger, .badge.danger { --tone: var(--danger); --tone-soft: var(--danger-soft); }
.badge.neutral { --tone: var(--quiet); --tone-soft: color-mix(in srgb, var(--quiet) 12%, var(--surface)); }

.badge {
  display: inline-block;
  padding: 2px 9px;
  border-radius: 999px;
  background: var(--tone-soft);
  color: var(--tone);
  font-size: 0.8125rem;
  font-weight: 600;
  line-height: 1.4;
  white-space: nowrap;
}
.badge.neutral { color: var(--ink); }

.empty {
  display: grid;
  justify-items: center;
  gap: 8px;
  padding: 44px 20px;
  border: 1px dashed var(--control-line);
  border-radius: var(--radius);
  text-align: center;
}
.empty-title { margin: 0; font-size: 1.0625rem; font-weight: 650; }
.empty > .quiet { max-width: 52ch; }
.empty > .button { margin-top: 8px; }

.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 12px; }

.qr-code { display: block; width: 100%; max-width: 220px; margin-block: 12px; border-radius: 8px; }
.steps { display: grid; gap: 20px; margin-bottom: 0; padding-left: 20px; }
.steps p { margin: 0 0 8px; }
.descriptions > div { display: grid; gap: 2px 24px; padding: 10px 0; }
.descriptions > div:first-child { padding-top: 0; }
.descriptions > div:last-child { padding-bottom: 0; }
.descriptions > div + div { border-top: 1px solid var(--line); }
.descriptions dt { color: var(--quiet); font-size: 0.9375rem; }

.secret { padding: 16px; border: 1px solid var(--accent); border-radius: var(--radius); background: var(--accent-soft); }
.secret-label { margin-bottom: 8px; font-weight: 600; }
.secret-box { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 8px; }
.secret code {
  flex: 1 1 280px;
  min-width: 0;
  padding: 10px 12px;
  border: 1px solid var(--control-line);
  border-radius: 8px;
  background: var(--surface);
  white-space: pre-wrap;
  user-select: all;
}
.secret .hint { color: var(--ink); }
.secret .hint:not(:empty) { margin-top: 8px; }

.verbatim {
  max-height: 420px;
  margin-bottom: 0;
  padding: 10px 12px;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--ground);
  overflow: auto;
  overflow-wrap: anywhere;
  white-space: pre-wrap;
}
.attempt + .attempt { margin-top: 20px; padding-top: 20px; border-top: 1px solid var(--line); }
.attempt > * + * { margin-top: 12px; }

details.scopes > summary { cursor: pointer; }
details.scopes ul { display: grid; gap: 4px; margin: 8px 0 0; padding: 0; list-style: none; font-size: 0.875rem; }

.pagination { display: flex; flex-wrap: wrap; gap: 12px; }
.pagination [rel='next'] { margin-left: auto; }

@media (width >= 600px) {
  .section { padding: 24px; }
  .descriptions > div { grid-template-columns: minmax(120px, 200px) minmax(0, 1fr); }
}
`;
