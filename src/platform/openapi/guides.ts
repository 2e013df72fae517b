import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Marked from 'marked';
import { addressOf } from '../config/public-address';
import { packageDirectory } from '../package-version';

/** The guides of docs/guides, in reading order. */
export const GUIDES = {
  'first-lead': 'Your first lead in five minutes',
  sandbox: 'Sandbox and live data',
  pagination: 'Lists and pages',
  errors: 'Errors',
  'rate-limits': 'Rate limits',
  idempotency: 'Idempotency and concurrent changes',
  'many-leads': 'Many leads',
  imports: 'Import leads',
  proposals: 'Proposals that persuade',
  holds: 'Holds',
  webhooks: 'Webhooks',
  'nightly-sync': 'Nightly sync',
  oauth: 'Apps: OAuth 2.0',
  sdk: 'The SDK for TypeScript',
  versioning: 'Versions and deprecation',
} as const;

export type GuideName = keyof typeof GUIDES;

/** A guide as a page. Links are relative, so that they work behind a path prefix; examples call this service. */
export function guidePage(name: GuideName, publicUrl: URL): string {
  const file = join(packageDirectory(__dirname), 'docs/guides', `${name}.md`);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- a start has no use for it
  const { marked } = require('marked') as typeof Marked;
  // In the repository, guides link to each other as files.
  const article = marked
    .parse(readFileSync(file, 'utf8'), { async: false })
    .replaceAll('http://localhost:3000', addressOf(publicUrl))
    .replace(/href="([\w-]+)\.md(#[\w-]+)?"/g, 'href="$1$2"')
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  return page(GUIDES[name], article, name);
}

function page(title: string, article: string, current: GuideName): string {
  const links = Object.entries(GUIDES).map(
    ([name, text]) =>
      `<li><a href="${name}"${name === current ? ' aria-current="page"' : ''}>${text}</a></li>`,
  );
  return /* html */ `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · Gala</title>
    <link rel="icon" type="image/svg+xml" href="../icon.svg" />
    <link rel="stylesheet" href="../reference.css" />
  </head>
  <body class="guide">
    <header>
      <a class="brand" href="../../docs"><img src="../icon.svg" alt="" width="28" height="28" />Gala <span>Guides</span></a>
      <nav><a href="../../openapi.json">openapi.json</a> <a href="../../docs">API reference</a></nav>
    </header>
    <div class="columns">
      <nav aria-label="Guides"><ul>${links.join('')}</ul></nav>
      <main>${article}</main>
    </div>
  </body>
</html>
`;
}
