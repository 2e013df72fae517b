import { createHash } from 'node:crypto';
import type { Router } from 'express';
import { StaticContent } from '../http/static-content';
import { icon } from '../openapi/reference-page';
import { script } from './script';
import { stylesheet } from './stylesheet/stylesheet';

// The content is part of the address, so that browsers may keep a file for good and still see every new one.
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16);

export const STYLESHEET_PATH = `/assets/${hashOf(stylesheet)}/gala.css`;
export const SCRIPT_PATH = `/assets/${hashOf(script)}/gala.js`;
export const ICON_PATH = '/assets/icon.svg';

const FOR_GOOD = 'public, max-age=31536000, immutable';
const FOR_A_DAY = 'public, max-age=86400';

const FILES: [path: string, type: string, caching: string, text: string][] = [
  [STYLESHEET_PATH, 'css', FOR_GOOD, stylesheet],
  [SCRIPT_PATH, 'js', FOR_GOOD, script],
  [ICON_PATH, 'svg', FOR_A_DAY, icon],
];

/** Serves what every page loads. It is public, and works without a network. */
export function servePageAssets(router: Router): void {
  for (const [path, type, caching, text] of FILES) {
    const content = new StaticContent(text);
    router.get(path, async (request, response) => {
      response.set({
        'Cache-Control': caching,
        'Content-Security-Policy': "default-src 'none'",
        'X-Content-Type-Options': 'nosniff',
      });
      await content.send(request, response.type(type));
    });
  }
}
