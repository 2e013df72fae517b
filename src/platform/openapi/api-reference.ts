import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, RequestHandler, Response, Router } from 'express';
import { basePathOf } from '../config/public-address';
import { StaticContent } from '../http/static-content';
import { packageDirectory } from '../package-version';
import { createOpenApiDocument } from './document';
import { type GuideName, GUIDES, guidePage } from './guides';
import { icon, page, script, stylesheet } from './reference-page';

/** The page loads files of this service alone, and has neither inline scripts nor inline styles. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Browsers keep the file and ask each time whether it has changed. */
const REVALIDATED = 'no-cache';

const OWN_FILES: [path: string, type: string, text: string][] = [
  ['/docs', 'html', page],
  ['/docs/reference.js', 'js', script],
  ['/docs/reference.css', 'css', stylesheet],
  ['/docs/icon.svg', 'svg', icon],
];
const SWAGGER_UI_FILES: [name: string, type: string][] = [
  ['swagger-ui-bundle.js', 'js'],
  ['swagger-ui.css', 'css'],
];

/**
 * Serves /openapi.json, and at /docs a page to read it and try it out. Both are public and work without a network.
 *
 * @returns writes the document, which otherwise the first request waits for; all routes have to be registered
 */
export function serveApiReference(app: NestExpressApplication, router: Router, publicUrl: URL): () => void {
  const document = once(() => new StaticContent(JSON.stringify(createOpenApiDocument(app, publicUrl))));
  router.get('/openapi.json', serve('json', REVALIDATED, document));

  for (const [path, type, text] of OWN_FILES) {
    const content = new StaticContent(text);
    router.get(
      path,
      serve(type, REVALIDATED, () => content),
    );
  }
  const basePath = basePathOf(publicUrl);
  router.get('/docs/', (_request, response) => response.redirect(301, `${basePath}/docs`));

  router.get(['/docs/guides', '/docs/guides/'], (_request, response) => {
    const [first] = Object.keys(GUIDES);
    response.redirect(302, `${basePath}/docs/guides/${first}`);
  });
  for (const name of Object.keys(GUIDES) as GuideName[]) {
    const content = once(() => new StaticContent(guidePage(name, publicUrl)));
    router.get(`/docs/guides/${name}`, serve('html', REVALIDATED, content));
  }

  router.get('/docs/gala-sdk.tgz', sendFile(join(packageDirectory(__dirname), 'dist/gala-sdk.tgz')));

  const swaggerUi = dirname(require.resolve('swagger-ui-dist/package.json'));
  for (const [name, type] of SWAGGER_UI_FILES) {
    const content = once(async () => new StaticContent(await readFile(join(swaggerUi, name))));
    router.get(`/docs/${name}`, serve(type, 'public, max-age=3600', content));
  }
  return document;
}

/** Makes a value on its first use, and keeps it. */
function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined;
  return () => (made ??= { value: make() }).value;
}

function serve(
  type: string,
  caching: string,
  content: () => StaticContent | Promise<StaticContent>,
): RequestHandler {
  return async (request: Request, response: Response) => {
    const found = await content();
    protect(response).set('Cache-Control', caching).type(type);
    await found.send(request, response);
  };
}

function sendFile(path: string): RequestHandler {
  return (_request, response, next) => {
    protect(response).sendFile(
      path,
      { maxAge: '1h', acceptRanges: false },
      (error?: NodeJS.ErrnoException) => {
        // A client that disconnects early is no error, and can't be sent one.
        if (error && !response.headersSent && error.code !== 'ECONNABORTED') next(error);
      },
    );
  };
}

function protect(response: Response): Response {
  return response.set({
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
}
