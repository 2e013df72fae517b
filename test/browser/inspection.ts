import { type AxeResults, source } from 'axe-core';
import type { Page } from 'playwright-core';

/** Colours don’t depend on the width, nor the layout on the colours: each is seen in both of its ways. */
const SCREENS = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 360, height: 740, colorScheme: 'dark' },
  { width: 1280, height: 900, colorScheme: 'dark' },
  { width: 360, height: 740, colorScheme: 'light' },
] as const;

/** What is wrong with the page as it stands, on a wide screen and on a phone, light and dark. */
export async function inspect(page: Page): Promise<string[]> {
  // As an evaluation: the content security policy lets no script of ours into the page.
  await page.evaluate(source);
  const faults: string[] = [];
  for (const { colorScheme, ...size } of SCREENS) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    const place = `${new URL(page.url()).pathname}, ${size.width} px, ${colorScheme}`;
    for (const violation of await violations(page)) faults.push(`${place}: ${violation}`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > size.width) faults.push(`${place}: the page is ${width} px wide`);
  }
  return faults;
}

async function violations(page: Page): Promise<string[]> {
  const results = await page.evaluate((): Promise<AxeResults> =>
    (window as any).axe.run(document, {
      resultTypes: ['violations'],
      // Off unless asked for, being new in WCAG 2.2.
      rules: { 'target-size': { enabled: true } },
    }),
  );
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${help}): ${html}\n  ${failureSummary}`),
  );
}
