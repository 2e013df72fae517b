/** Forms and buttons. Text in controls has 16 px, since phones zoom into anything smaller. */
export const forms = /* css */ `.form.stacked { display: grid; gap: 20px; justify-items: start; max-width: 560px; }
.form.stacked > * { max-width: 100%; }
.form.stacked > .field, .form.stacked > .choices, .form.stacked > .notice { width: 100%; }
.form.inline { display: flex; flex-wrap: wrap; align-items: flex-end; gap: 12px; }
.form.inline > .field { flex: 0 1 220px; min-width: 0; }
.form.inline > .notice { flex: 1 0 100%; }

.form.filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(148px, 1fr)); align-items: end; gap: 8px 12px; }
.form.filters label { color: var(--quiet); font-size: 0.8125rem; }
.form.filters .control { min-height: 38px; margin-top: 2px; padding-block: 5px; }
.form.filters .button { min-height: 38px; padding-block: 5px; }

.field label, .choices legend { font-weight: 600; }
.optional { color: var(--quiet); font-weight: 400; }
.hint { margin: 0; color: var(--quiet); font-size: 0.9375rem; }
.problem { margin: 2px 0 0; color: var(--danger); font-size: 0.9375rem; font-weight: 600; }

.control {
  display: block;
  width: 100%;
  min-height: 46px;
  margin-top: 6px;
  padding: 9px 12px;
  border: 1px solid var(--control-line);
  border-radius: 8px;
  background-color: var(--surface);
  color: var(--ink);
  font: inherit;
}
.control:hover { border-color: var(--ink); }
.control:focus-visible { border-color: var(--accent); border-radius: 8px; outline-offset: 0; outline-width: 2px; }
.control.short { max-width: 180px; }
.control[aria-invalid] { border-color: var(--danger); box-shadow: inset 0 0 0 1px var(--danger); }
.control:autofill { box-shadow: inset 0 0 0 99px var(--accent-soft); -webkit-text-fill-color: var(--ink); }
.form.inline label.visually-hidden + .control { margin-top: 0; }

select.control {
  padding-right: 38px;
  appearance: none;
  background-image: linear-gradient(45deg, transparent 50%, var(--quiet) 50%), linear-gradient(-45deg, transparent 50%, var(--quiet) 50%);
  background-position: right 19px center, right 13px center;
  background-size: 6px 6px;
  background-repeat: no-repeat;
}

.choices { padding: 0; border: 0; }
.choices legend { float: left; width: 100%; padding: 0; }
.choices legend + * { clear: both; }
.choices > .hint, .choices > .problem { margin-bottom: 4px; }
.choice { display: flex; gap: 12px; padding: 11px 0; }
.choice + .choice { border-top: 1px solid var(--line); }
.choice > div { flex: 1; min-width: 0; }
.choice label { display: block; font-weight: 500; }
.choice .hint { font-size: 0.875rem; }
.choice input { flex: none; width: 22px; height: 22px; margin: 1px 0 0; accent-color: var(--accent); }
.branch { border-top: 1px solid var(--line); }
.branch > summary { min-height: 44px; align-content: center; cursor: pointer; font-weight: 600; }
.twigs { padding-left: 34px; }
.choice + .twigs > .choice:first-child { border-top: 1px solid var(--line); }
.choice input:disabled ~ div { color: var(--quiet); }
.choices.faulty { padding-left: 12px; border-left: 3px solid var(--danger); }

.button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: 0.35em;
  min-height: 44px;
  padding: 9px 18px;
  border: 1px solid transparent;
  border-radius: 8px;
  font: inherit;
  font-weight: 600;
  line-height: 1.3;
  text-align: center;
  text-decoration: none;
  overflow-wrap: break-word;
  cursor: pointer;
}
.button:focus-visible { border-radius: 8px; }
.button:disabled { opacity: 0.55; cursor: not-allowed; }
.button.primary { background: var(--accent); color: var(--on-accent); }
.button.primary:hover { background: var(--accent-strong); color: var(--on-accent); }
.button.secondary { border-color: var(--control-line); background: var(--surface); color: var(--ink); }
.button.secondary:hover { border-color: var(--accent); background: var(--accent-soft); color: var(--ink); }
.button.danger { background: var(--danger); color: var(--on-danger); }
.button.danger:hover { background: var(--danger-strong); color: var(--on-danger); }

.form.stacked:has(.line) { max-width: none; }
.form.stacked:has(.line) > .field { max-width: 560px; }
.form.stacked > .lines { display: grid; gap: 12px; width: 100%; }
.line { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px; padding: 0 0 12px; border: 0; border-bottom: 1px solid var(--line); }
.line > label:first-of-type { grid-column: 1 / -1; }
.line span { font-size: 0.875rem; font-weight: 600; }
.line legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.line .control { margin-top: 2px; }
.part { display: grid; gap: 16px; width: 100%; max-width: 560px; padding: 16px; border: 1px solid var(--line); border-radius: var(--radius); }
.part legend { padding: 0 6px; font-weight: 600; }
.line textarea.control { min-height: 46px; field-sizing: content; }
@container main (width >= 640px) {
  .form.stacked > .lines { gap: 8px; }
  .line { grid-template-columns: minmax(0, 1fr) 80px 124px 112px 72px 124px; padding: 0; border: 0; }
  .line > label:first-of-type { grid-column: auto; }
  .line + .line span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
}

@media (width < 600px) {
  .frame.narrow .form.stacked > .button, .form.inline > .field { flex: 1 1 100%; width: 100%; }
}
@media (forced-colors: active) {
  .button { border-color: ButtonText; }
  select.control { appearance: auto; background-image: none; }
}
`;
