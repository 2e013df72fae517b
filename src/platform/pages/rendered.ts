import type { VNode } from 'preact';
import { jsxTemplate } from 'preact/jsx-runtime';
import { renderToString } from 'preact-render-to-string';

/**
 * A part of a page, rendered once to be shown on many. Only what components rendered gets into it, so everything is escaped;
 * and it knows no visitor: a form in it would have no CSRF token.
 */
export class Rendered {
  private readonly html: string;

  constructor(part: VNode) {
    this.html = renderToString(part);
  }

  /** That it takes in memory, at most. */
  get bytes(): number {
    return 2 * this.html.length;
  }

  get node(): VNode {
    return jsxTemplate([this.html]);
  }
}
