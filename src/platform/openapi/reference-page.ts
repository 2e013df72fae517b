// The API reference page in four small files. Links are relative, so that they work behind a path prefix.

export const page = /* html */ `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Gala API reference</title>
    <link rel="icon" type="image/svg+xml" href="docs/icon.svg" />
    <link rel="stylesheet" href="docs/swagger-ui.css" />
    <link rel="stylesheet" href="docs/reference.css" />
    <script src="docs/swagger-ui-bundle.js" defer></script>
    <script src="docs/reference.js" defer></script>
  </head>
  <body>
    <header>
      <a class="brand" href="docs"><img src="docs/icon.svg" alt="" width="28" height="28" />Gala <span>API reference</span></a>
      <nav><a href="docs/guides/first-lead">Guides</a> <a href="openapi.json">openapi.json</a></nav>
    </header>
    <p class="notice" role="note">
      <strong>Try it out with a test key</strong> (<code>gala_test_…</code>): it works on your sandbox alone.
      Live keys act on real data and don’t belong in a browser; this page refuses them, and forgets any key when it is closed.
    </p>
    <main id="reference"><noscript><p class="notice">This page needs JavaScript. The same can be read in <a href="openapi.json">openapi.json</a>; the <a href="docs/guides/first-lead">guides</a> work without.</p></noscript></main>
  </body>
</html>
`;

export const script = /* js */ `'use strict';
(async () => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', paint);
  paint();

  const specification = await (await fetch('openapi.json')).json();
  // Requests go to the host that served this page.
  specification.servers = [{ url: new URL('.', location.href).href.replace(/\\/$/, '') }];
  // This page takes test keys only: an app's secret doesn't belong in a browser.
  delete specification.components.securitySchemes.oauth2;
  for (const operation of Object.values(specification.paths).flatMap(Object.values)) {
    operation.security = operation.security.filter((way) => way.bearer);
  }

  // Swagger UI leaves some controls without a name, which screen readers need.
  const nameOf = (control) => {
    if (control.id === 'servers') return 'Server';
    if (control.closest('.copy-to-clipboard')) return 'Copy';
    return control.closest('[data-param-name]')?.dataset.paramName ?? (control.matches('textarea') ? 'Request body' : 'Value');
  };
  // The label of the server list has no text of its own.
  const isNamedBy = (control) => (label) => label.textContent.replace(control.textContent, '').trim() !== '';
  const hasName = (control) =>
    control.title || (control.matches('button') ? control.textContent : [...control.labels].some(isNamedBy(control)));
  const reference = document.getElementById('reference');
  const nameControls = () => {
    for (const control of reference.querySelectorAll(':is(select, input, textarea, button):not([aria-label])')) {
      if (!hasName(control)) control.setAttribute('aria-label', nameOf(control));
    }
  };
  new MutationObserver(nameControls).observe(reference, { childList: true, subtree: true });

  SwaggerUIBundle({
    spec: specification,
    dom_id: '#reference',
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
    requestInterceptor(request) {
      if (/\\bgala_live_/.test(request.headers.Authorization ?? '')) {
        throw new Error('This is a live key. Use a test key here: it begins with gala_test_.');
      }
      return request;
    },
  });
})().catch((error) => {
  document.getElementById('reference').textContent = 'The API reference could not be loaded: ' + error.message;
});
`;

export const stylesheet = /* css */ `:root {
  --ground: #fff;
  --ink: #2b2233;
  --quiet: #6b6075;
  --accent: #7a3cc2;
  --notice: #f7f1ff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #1c2022;
    --ink: #e4e6e6;
    --quiet: #a8a2b0;
    --accent: #c39bf2;
    --notice: #2a2433;
  }
}
html, html.dark-mode { background: var(--ground); }
body { margin: 0; color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
header, .notice { width: calc(100% - 48px); max-width: 1072px; margin: 0 auto; }
header { display: flex; align-items: center; justify-content: space-between; height: 64px; }
header a { color: var(--accent); }
header nav { display: flex; gap: 20px; }
.brand { display: flex; align-items: center; gap: 10px; color: var(--ink); font-size: 20px; font-weight: 700; text-decoration: none; }
.brand span { color: var(--quiet); font-weight: 400; }
.notice { box-sizing: border-box; padding: 12px 16px; border-left: 4px solid var(--accent); border-radius: 4px; background: var(--notice); font-size: 15px; }
.notice code { font-size: 14px; }

.guide a { color: var(--accent); }
.guide a.brand { color: var(--ink); }
.columns { display: flex; gap: 40px; width: calc(100% - 48px); max-width: 1072px; margin: 16px auto 64px; }
.columns > nav { flex: 0 0 220px; font-size: 15px; }
.columns > nav ul { position: sticky; top: 16px; margin: 0; padding: 0; list-style: none; }
.columns > nav a { display: block; padding: 5px 10px; border-radius: 4px; text-decoration: none; }
.columns > nav a[aria-current] { background: var(--notice); font-weight: 600; }
.columns > main { min-width: 0; max-width: 76ch; flex: 1; }
.columns h1 { margin: 0 0 16px; font-size: 30px; line-height: 1.2; }
.columns h2 { margin: 36px 0 8px; font-size: 21px; }
.columns code { padding: 1px 4px; border-radius: 3px; background: var(--notice); font-size: 14px; }
.columns pre { padding: 14px 16px; border-radius: 6px; background: var(--notice); overflow-x: auto; line-height: 1.45; }
.columns pre code { padding: 0; background: none; font-size: 13.5px; }
.wide { overflow-x: auto; }
.columns table { border-collapse: collapse; font-size: 15px; }
.columns th, .columns td { padding: 6px 14px 6px 0; border-bottom: 1px solid color-mix(in srgb, var(--quiet) 35%, transparent); text-align: left; vertical-align: top; }
@media (max-width: 760px) {
  .columns { flex-direction: column; gap: 20px; }
  .columns > nav { flex: none; }
  .columns > nav ul { position: static; }
}

/* Swagger UI in the colours and fonts of this page. */
.swagger-ui.swagger-ui :not(code, code *, pre, pre *, .opblock-summary-path, .opblock-summary-path *) { font-family: system-ui, sans-serif; }
.swagger-ui .wrapper { max-width: 1120px; padding: 0 24px; }
.swagger-ui .info { margin: 28px 0 12px; }
.swagger-ui .info .description p { max-width: 92ch; margin: 0 0 12px; font-size: 15px; line-height: 1.6; }
.swagger-ui .info code { padding: 1px 4px; color: var(--accent); font-weight: 500; }
.swagger-ui .scheme-container, html.dark-mode .swagger-ui .scheme-container { padding: 12px 0; background: none; box-shadow: none; }
.swagger-ui .btn.authorize { border-color: var(--accent); color: var(--accent); }
.swagger-ui .btn.authorize svg { fill: var(--accent); }
.swagger-ui .opblock { border-radius: 6px; box-shadow: none; }
.swagger-ui .opblock .opblock-summary-method { border-radius: 4px; }
html.dark-mode .swagger-ui table.headers td { color: var(--ink); }
.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code { overflow-wrap: anywhere; }

/* Swagger UI keeps table cells side by side at any width. On a phone they are stacked. */
@media (max-width: 760px) {
  header, .notice, .columns { width: calc(100% - 32px); }
  header { flex-wrap: wrap; gap: 4px 20px; height: auto; padding: 12px 0; }
  .swagger-ui .wrapper { padding: 0 16px; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag small { flex: 1 0 100%; padding: 0; }
  .swagger-ui .opblock .opblock-section-header { flex-wrap: wrap; gap: 8px; padding: 8px 12px; }
  .swagger-ui .opblock .opblock-section-header > label { margin: 0; }
  .swagger-ui .opblock .opblock-summary-method { min-width: 64px; }
  .swagger-ui .table-container, .swagger-ui .responses-inner { padding: 12px; }
  .swagger-ui .opblock-body :is(.parameters, .responses-table) :is(thead, .responses-header, .response-col_links) { display: none; }
  .swagger-ui .opblock-body :is(.parameters, .responses-table), .swagger-ui .opblock-body :is(.parameters, .responses-table) :is(tbody, tr, td) { display: block; box-sizing: border-box; width: 100%; min-width: 0; max-width: none; }
  .swagger-ui .opblock-body :is(.parameters, .responses-table) td { padding: 6px 0; }
  .swagger-ui .opblock-body .parameters-col_description { margin-bottom: 12px; }
  .swagger-ui :is(input, select, textarea) { box-sizing: border-box; min-width: 0 !important; max-width: 100% !important; }
  .swagger-ui .json-schema-2020-12, .swagger-ui .models .json-schema-2020-12:not(.json-schema-2020-12--embedded) { box-sizing: border-box; width: auto; margin-inline: 0; overflow-x: auto; }
  .swagger-ui .dialog-ux .modal-ux { width: calc(100% - 32px); }
}
`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#7a3cc2"/><path d="M21.5 12.2A7 7 0 1 0 23 16.5h-6.5" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>
`;
