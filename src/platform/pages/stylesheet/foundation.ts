/** Colours, sizes and bare elements. Every pair of colours that meets has the contrast that WCAG AA wants. */
export const foundation = /* css */ `:root {
  color-scheme: light dark;
  --ground: #f8f6fa;
  --surface: #fff;
  --ink: #2b2233;
  --quiet: #655b70;
  --line: #e4deea;
  --control-line: #887c94;
  --accent: #7a3cc2;
  --accent-strong: #642aa8;
  --on-accent: #fff;
  --accent-soft: #f4edfc;
  --success: #17693a;
  --success-soft: #e8f6ed;
  --warning: #7a4a00;
  --warning-soft: #fff3d9;
  --danger: #b3231b;
  --danger-strong: #921710;
  --on-danger: #fff;
  --danger-soft: #fdeeec;
  --test: #ffbf2e;
  --on-test: #2e1d00;
  --shadow: 0 1px 2px rgb(43 34 51 / 6%);
  --radius: 10px;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
[data-mode='test'] {
  --ground: #fdf4de;
  --line: #e9dfc8;
  --warning-soft: #ffe2a1;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #17141b;
    --surface: #211d27;
    --ink: #ebe7f0;
    --quiet: #b0a7bb;
    --line: #383140;
    --control-line: #83788f;
    --accent: #c39bf2;
    --accent-strong: #d7baf8;
    --on-accent: #23123a;
    --accent-soft: #30243f;
    --success: #83d6a1;
    --success-soft: #1a2f23;
    --warning: #f1c571;
    --warning-soft: #362b15;
    --danger: #ff9d94;
    --danger-strong: #ffb9b2;
    --on-danger: #3d0a06;
    --danger-soft: #3b1f20;
    --test: #f0b429;
    --shadow: none;
  }
  [data-mode='test'] {
    --ground: #1f1709;
    --surface: #241f1a;
    --line: #453a24;
    --warning-soft: #4a3a17;
  }
}

*, *::before, *::after { box-sizing: border-box; }
html { background: var(--ground); -webkit-text-size-adjust: 100%; }
body {
  display: flex;
  flex-direction: column;
  min-height: 100vh;
  margin: 0;
  color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  overflow-wrap: break-word;
}
h1, h2, h3 { margin: 0; line-height: 1.25; letter-spacing: -0.011em; text-wrap: balance; }
h1 { font-size: 1.75rem; font-weight: 680; }
h2 { font-size: 1.1875rem; font-weight: 650; }
h3 { font-size: 1rem; font-weight: 650; }
p, ul, ol { margin: 0 0 12px; }
p:last-child, ul:last-child, ol:last-child { margin-bottom: 0; }
ul, ol { padding-left: 1.25em; }
dl, dd, fieldset { min-width: 0; margin: 0; }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
a:hover { color: var(--accent-strong); text-decoration-thickness: 2px; }
code { font-family: var(--mono); font-size: 0.9em; overflow-wrap: anywhere; }
hr { margin: 24px 0; border: 0; border-top: 1px solid var(--line); }
img, svg { vertical-align: middle; }

:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
::selection { background: var(--accent); color: var(--on-accent); }
[hidden] { display: none !important; }

.quiet { color: var(--quiet); }
.visually-hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  margin: -1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

@media (prefers-reduced-motion: no-preference) {
  a, .button, .control { transition: color 0.12s, background-color 0.12s, border-color 0.12s; }
}
`;
