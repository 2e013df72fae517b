import type { Router } from 'express';
import { type Colour, COLOUR, mix, readableOn } from '../../kernel/colour';
import { StaticContent } from '../http/static-content';

/** The darkest ground of pages in the light, and the lightest one in the dark: see the stylesheet. */
export const LIGHT_GROUND = '#fdf4de';
const DARK_GROUND = '#30243f';
const [BLACK, WHITE] = ['#000000', '#ffffff'] as const;

/** The path of a stylesheet that replaces the accent colour. No style may be written into a page. */
export function accentPath(colour: Colour): `/${string}` {
  return `/assets/accent/${colour.slice(1)}.css`;
}

function stylesheetOf(colour: Colour): string {
  const light = readableOn(LIGHT_GROUND, colour);
  const dark = readableOn(DARK_GROUND, mix(colour, WHITE, 0.35));
  return (
    `:root { --accent: ${light}; --accent-strong: ${mix(light, BLACK, 0.2)}; --on-accent: ${WHITE}; --accent-soft: ${mix(light, WHITE, 0.92)}; }\n` +
    `@media screen and (prefers-color-scheme: dark) { :root { --accent: ${dark}; --accent-strong: ${mix(dark, WHITE, 0.25)}; --on-accent: #17141b; --accent-soft: ${mix(dark, '#17141b', 0.86)}; } }\n`
  );
}

export function serveAccents(router: Router): void {
  router.get('/assets/accent/:name', async (request, response, next) => {
    const colour: Colour = `#${request.params.name.slice(0, 6)}`;
    if (request.path !== accentPath(colour) || !COLOUR.test(colour)) return next();
    response.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'",
      'X-Content-Type-Options': 'nosniff',
    });
    await new StaticContent(stylesheetOf(colour)).send(request, response.type('css'));
  });
}
