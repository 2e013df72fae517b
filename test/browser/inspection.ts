import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Half as long as the package's `source`, and each page takes it in anew. */
const SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The only rules that read colours, and the only ones whose outcome depends on them. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** The structure of a page depends on the width alone, so that every rule runs once for each width. A change of it costs most. */
const SCREENS = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 1280, height: 900, colorScheme: 'dark', rules: COLOUR_RULES },
  { width: 360, height: 740, colorScheme: 'dark' },
  { width: 360, height: 740, colorScheme: 'light', rules: COLOUR_RULES },
] as const;

/** A phone, a tablet, and screens of one, two and three times the width of the pages' frame. */
const WIDTHS = [390, 768, 1440, 1920, 2560];

/** What is wrong with the page as it stands, on a wide screen and on a phone, light and dark. */
export async function inspect(page: Page): Promise<string[]> {
  // As an evaluation: the content security policy lets no script of ours into the page.
  await page.evaluate(SOURCE);
  const faults: string[] = [];
  for (const { colorScheme, width, height, ...only } of SCREENS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const place = `${new URL(page.url()).pathname}, ${width} px, ${colorScheme}`;
    for (const violation of await violations(page, optionsFor(only))) faults.push(`${place}: ${violation}`);
    faults.push(...(await overflow(page)));
  }
  return [...faults, ...(await layoutFaults(page))];
}

/** Whether one has to scroll sideways to see all of the page. */
export async function overflow(page: Page): Promise<string[]> {
  const screen = page.viewportSize()!.width;
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  const place = `${new URL(page.url()).pathname}, ${screen} px`;
  return width > screen ? [`${place}: the page is ${width} px wide`] : [];
}

/** What axe calls critical: people who don't see the page, or use no mouse, can't do something there. */
export async function critical(page: Page): Promise<string[]> {
  await page.evaluate(SOURCE);
  // The two rules that take the longest are never critical.
  const rules = { 'color-contrast': { enabled: false }, 'target-size': { enabled: false } };
  return violations(page, { rules }, ['critical']);
}

/** Where the content is squeezed or off centre. */
async function layoutFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const found = await page.evaluate(measureLayout);
    faults.push(...found.map((fault) => `${new URL(page.url()).pathname}, ${width} px: ${fault}`));
  }
  return faults;
}

/** Runs in the page. */
function measureLayout(): string[] {
  const faults: string[] = [];
  const main = document.querySelector('main');
  const frame = main?.closest('.frame');
  if (!main || !frame) return faults;

  const screen = document.documentElement.clientWidth;
  const first = frame.firstElementChild!.getBoundingClientRect();
  const last = frame.lastElementChild!.getBoundingClientRect();
  const [left, right] = [first.left, screen - last.right];
  if (main.clientWidth < Math.min(screen - 48, 400))
    faults.push(`the content is ${main.clientWidth} px wide`);
  if (Math.abs(left - right) > 32)
    faults.push(`it stands ${left} px from the left, ${right} px from the right`);

  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent!.trim();
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    if (lines > 3 && text.length / lines < 4) {
      faults.push(`“${text.slice(0, 40)}” takes ${lines} lines for ${text.length} characters`);
    }
  }
  return faults;
}

function optionsFor({ rules }: { rules?: readonly string[] }): RunOptions {
  if (rules) return { runOnly: { type: 'rule', values: [...rules] } };
  // Off unless asked for, being new in WCAG 2.2.
  return { rules: { 'target-size': { enabled: true } } };
}

async function violations(page: Page, options: RunOptions, impacts?: string[]): Promise<string[]> {
  const results = await page.evaluate(
    (options): Promise<AxeResults> =>
      (window as any).axe.run(document, { resultTypes: ['violations'], ...options }),
    options,
  );
  const found = results.violations.filter(({ impact }) => !impacts || impacts.includes(impact ?? ''));
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${help}): ${html}\n  ${failureSummary}`),
  );
}
