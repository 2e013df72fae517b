'use strict';
// Writes openapi.json from the compiled code. With --check it reports whether the committed file is up to date.
// Needs a build, but neither a database nor a port.
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const file = join(root, 'openapi.json');
const built = (path) => require(join(root, process.env.GALA_BUILD ?? 'dist', path));

async function generate() {
  const { createDataSource } = built('ormconfig');
  const { createApp } = built('src/create-app');
  const { loadConfiguration } = built('src/platform/config/load-configuration');
  const { createOpenApiDocument } = built('src/platform/openapi/document');

  const dataSource = createDataSource({ url: 'postgres://nowhere.invalid/gala' });
  // Repositories read their tables' metadata when they are created; this provides it without a connection.
  await dataSource.buildMetadatas();
  const logger = { debug() {}, info() {}, warn: console.error, error: console.error };
  const configuration = loadConfiguration({});
  const app = await createApp({ configuration, dataSource, logger });
  try {
    const document = createOpenApiDocument(app, new URL('http://localhost:3000'));
    return `${JSON.stringify(document, null, 2)}\n`;
  } finally {
    await app.close();
  }
}

async function main() {
  const generated = await generate();
  if (!process.argv.includes('--check')) return writeFileSync(file, generated);
  const committed = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (committed === generated) return;
  const [ours, theirs] = [committed, generated].map((text) => text.split('\n'));
  const line = theirs.findIndex((text, index) => text !== ours[index]);
  console.error(
    `openapi.json no longer matches the code, from line ${line + 1} on:
  committed: ${(ours[line] ?? '(nothing)').trim()}
  code:      ${(theirs[line] ?? '(nothing)').trim()}
Run \`npm run openapi\`, review the difference as a client would, and commit it.`,
  );
  process.exitCode = 1;
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
