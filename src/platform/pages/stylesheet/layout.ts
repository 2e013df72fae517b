/** The frame that every page stands in. */
export const layout = /* css */ `.skip-link {
  position: absolute;
  top: -80px;
  left: 12px;
  z-index: 2;
  padding: 12px 16px;
  border-radius: 0 0 8px 8px;
  background: var(--accent);
  color: var(--on-accent);
}
.skip-link:focus { top: 0; color: var(--on-accent); }

.test-band {
  position: sticky;
  top: 0;
  z-index: 1;
  margin: 0;
  padding: 7px 16px;
  background: var(--test);
  color: var(--on-test);
  font-size: 0.9375rem;
  text-align: center;
}
/* What gets the focus on the way up must not end behind the band. */
[data-mode='test'] { scroll-padding-top: 56px; }

.header { border-bottom: 1px solid var(--line); background: var(--surface); }
.header, .footer { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 20px; }
.header, .footer, .frame {
  padding-inline: max(16px, (100% - 1440px) / 2);
}
.header { min-height: 64px; padding-block: 8px; }
.brand {
  display: flex;
  align-items: center;
  gap: 10px;
  min-height: 44px;
  color: var(--ink);
  font-size: 1.25rem;
  font-weight: 700;
  letter-spacing: -0.01em;
  text-decoration: none;
}
.brand:hover { color: var(--accent); }
.header-end {
  display: flex;
  align-items: center;
  gap: 8px 12px;
  min-width: 0;
  margin-left: auto;
  color: var(--quiet);
  font-size: 0.9375rem;
}
.header-end > a { min-width: 0; padding-block: 4px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.header-end .button { white-space: nowrap; }

.mode-switch { display: flex; padding: 2px; border: 1px solid var(--control-line); border-radius: 8px; }
.mode-switch a { display: flex; align-items: center; min-height: 36px; padding: 4px 12px; border-radius: 6px; color: var(--quiet); font-weight: 600; text-decoration: none; }
.mode-switch a:hover { color: var(--ink); }
.mode-switch [aria-current] { background: var(--accent-soft); color: var(--accent); }
[data-mode='test'] .mode-switch [aria-current] { background: var(--test); color: var(--on-test); }
.menu-button {
  min-width: 0;
  min-height: 44px;
  padding: 8px 12px;
  border: 1px solid transparent;
  border-radius: 8px;
  background: none;
  color: var(--ink);
  font: inherit;
  font-weight: 600;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  cursor: pointer;
}
.menu-button:hover { background: var(--accent-soft); }
.workspace-button::after { content: ' ▾' / ''; color: var(--quiet); }
.menu { position: fixed; inset: 64px max(16px, (100vw - 1440px) / 2) auto auto; width: 280px; max-width: calc(100vw - 32px); padding: 8px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); color: var(--ink); box-shadow: 0 8px 24px rgb(0 0 0 / 18%); }
.menu ul { margin: 0 0 8px; padding: 0; list-style: none; }
.menu li a { display: flex; align-items: center; min-height: 44px; padding: 8px 12px; border-radius: 8px; color: var(--ink); text-decoration: none; }
.menu li a:hover { background: var(--accent-soft); }
.menu-title { margin: 4px 12px; color: var(--quiet); font-size: 0.8125rem; font-weight: 620; overflow-wrap: anywhere; }
.menu .form { padding: 4px 8px 8px; }

.frame { flex: 1; width: 100%; padding-block: 20px 56px; }
.frame.narrow main { max-width: 440px; margin-inline: auto; }
.heading { display: flex; flex-wrap: wrap; align-items: flex-start; justify-content: space-between; gap: 12px 24px; margin-bottom: 24px; }
.heading > :first-child { flex: 1 1 280px; min-width: 0; }
.intro { max-width: 68ch; margin-top: 8px; color: var(--quiet); }
main { container: main / inline-size; }
main > * + * { margin-top: 20px; }
main > .heading + * { margin-top: 0; }
main > p { max-width: 68ch; }
.footer { padding-block: 16px; border-top: 1px solid var(--line); color: var(--quiet); font-size: 0.875rem; }
.footer a { display: inline-flex; align-items: center; min-height: 32px; color: inherit; }

.nav-list ul, .tabs ul { display: flex; margin: 0; padding: 0; list-style: none; }
.nav-list a, .tabs a {
  display: flex;
  align-items: center;
  min-height: 44px;
  padding: 8px 14px;
  color: var(--quiet);
  font-weight: 500;
  text-decoration: none;
  white-space: nowrap;
}
.nav-list a { border-radius: 8px; }
.nav-list a:hover, .tabs a:hover { color: var(--ink); }
.nav-list a:hover { background: color-mix(in srgb, var(--accent-soft) 60%, transparent); }
.nav-list [aria-current] { background: var(--accent-soft); color: var(--accent); font-weight: 620; }
.tabs { border-bottom: 1px solid var(--line); }
.tabs ul { gap: 4px; overflow-x: auto; }
.tabs a { border-bottom: 3px solid transparent; }
.tabs [aria-current] { border-color: var(--accent); color: var(--accent); font-weight: 620; }
.tabs a:focus-visible, .nav-list a:focus-visible { outline-offset: -3px; }

.nav-title { margin: 16px 14px 4px; color: var(--quiet); font-size: 0.8125rem; font-weight: 620; }

@media (width < 600px) {
  .header { flex-wrap: nowrap; gap: 4px; }
  .header-end { flex: 1; justify-content: flex-end; gap: 4px; }
  .menu-button { padding-inline: 8px; }
  .mode-switch a { padding-inline: 8px; }
  .header .brand { font-size: 0; gap: 0; }
  .test-band span { display: none; }
}
@media (width < 800px) {
  h1 { font-size: 1.5rem; }
  .nav-list[popover] {
    inset: 0 auto 0 0;
    width: min(320px, 86vw);
    height: 100%;
    max-height: none;
    margin: 0;
    padding: 12px;
    border: 0;
    border-right: 1px solid var(--line);
    background: var(--surface);
    color: var(--ink);
    box-shadow: 0 0 32px rgb(0 0 0 / 24%);
  }
  .nav-list[popover]::backdrop { background: rgb(0 0 0 / 32%); }
  .nav-list ul { flex-direction: column; }
}
@media (width >= 800px) {
  .for-phones { display: none; }
  .frame { padding-block: 32px 72px; }
  .frame.narrow { padding-block-start: 64px; }
  .frame.with-nav { display: grid; grid-template-columns: 184px minmax(0, 1fr); gap: 40px; align-items: start; }
  .frame-nav { position: sticky; top: 56px; max-height: calc(100vh - 64px); margin: -4px -4px 0 -18px; padding: 4px; overflow-y: auto; }
  .nav-list[popover] { display: block; position: static; width: auto; height: auto; margin: 0; padding: 0; border: 0; background: none; color: inherit; overflow: visible; }
  .nav-list ul { flex-direction: column; gap: 2px; }
  .nav-list a { min-height: 36px; padding-block: 5px; }
}

@media print {
  .header-end, .frame-nav, .footer, .skip-link, .actions, .row-actions, .pagination { display: none; }
  html, body, .header { background: none; }
  .frame { padding: 16px 0; }
  .section, .table { break-inside: avoid; box-shadow: none; }
}
`;
