import { log } from '../activities/support';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import type { PageClient } from '../support/page-client';
import { browserOf } from '../support/people';
import { addReason } from '../support/stages';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let browser: PageClient;
let page: string;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  browser = await browserOf(gala, workspace.ownerEmail);
  page = `/settings/${workspace.id}/live/figures`;
});
afterAll(() => gala.stop());

async function show(path = page): Promise<string> {
  const { status, text } = await browser.get(path);
  expect({ path, status }).toEqual({ path, status: 200 });
  return text;
}

/** The part of the page with that heading. Sections hold no sections. */
const sectionOf = (html: string, title: string) =>
  html.split('<section').find((part) => part.includes(`<h2>${title}</h2>`))!;
/** The cells of the table of a section, row by row, without the head. */
const cellsOf = (html: string) =>
  [...html.matchAll(/<tr role="row">(.*?)<\/tr>/gs)]
    .slice(1)
    .map(([, row]) =>
      [...row!.matchAll(/<(?:th|td)[^>]*>(.*?)<\/(?:th|td)>/gs)].map(([, cell]) =>
        cell!.replace(/<[^>]*>/g, ''),
      ),
    );
/** Where the bars of a section lead. */
const linksOf = (html: string) =>
  [...html.matchAll(/<a href="([^"]*figures\/leads[^"]*)"/g)].map(([, path]) =>
    path!.replaceAll('&amp;', '&'),
  );
const leadsOn = async (path: string) => cellsOf(await show(path)).map(([lead]) => lead);

test('an empty workspace is told what will be here', async () => {
  const html = await show();
  expect(html).toContain('No leads yet');
  expect(html).toContain('how soon they got their first response');
  expect(html).not.toContain('<svg class="columns"');
});

test('a period without leads has a page all the same', async () => {
  await createLead(client);
  const html = await show(`${page}?from=2020-01-01&to=2020-01-02`);
  expect(cellsOf(sectionOf(html, 'Leads over time')).map(([, leads]) => leads)).toEqual(['0', '0']);
  expect(sectionOf(html, 'Lost reasons')).toContain('None in this period.');
});

test.each([
  ['from=2027-02-01&to=2027-01-01', 'must not be before from'],
  ['from=2020-01-01&to=2027-01-01', 'must be at most 731 days'],
  ['from=soon&to=2027-01-01', 'There’s a problem'],
  ['from=2027-01-01', 'is required'],
])('the period ?%s is shown again with what is wrong', async (query, problem) => {
  await createLead(client);
  const { status, text } = await browser.get(`${page}?${query}`);
  expect(status).toBe(422);
  expect(text.replaceAll('&#39;', '’').replaceAll("'", '’')).toContain(problem.replaceAll("'", '’'));
});

describe('with leads', () => {
  let far: string;
  beforeEach(async () => {
    far = (await addReason(client, 'Too <far>')).id;
    await createLead(client, { email: 'ana@example.com', source: 'Fair & more' });
    const answered = await createLead(client, { email: 'ben@example.com', source: 'Fair & more' });
    await log(client, answered.id, { direction: 'out' });
    const won = await createLead(client, { email: 'eva@example.com' });
    await client.patch(`/v1/leads/${won.id}`, { stage: 'confirmed' });
    const lost = await createLead(client, { email: 'tom@example.com' });
    await client.patch(`/v1/leads/${lost.id}`, { stage: 'lost', lostReasonId: far });
    await client.patch('/v1/response-target', { minutes: 15 });
  });

  test('tables carry the numbers of the reports', async () => {
    const html = await show();
    expect(html).not.toContain('<script>');
    const card = sectionOf(html, 'First response');
    expect(card).toMatch(/Target.*15 min.*Answered within it.*100%.*Answered.*3.*Without a response.*1/s);
    expect(cellsOf(sectionOf(html, 'First responses'))[0]).toEqual(['Within the target', '3', '100%']);
    const overTime = cellsOf(sectionOf(html, 'Leads over time'));
    expect(overTime).toHaveLength(30);
    expect(overTime.at(-1)!.slice(1)).toEqual(['4', '3', '1']);
    const funnel = cellsOf(sectionOf(html, 'Funnel'));
    expect(funnel[0]!.slice(0, 6)).toEqual(['New enquiry', '4', '1', '0', '1', '2']);
    expect(cellsOf(sectionOf(html, 'Sources'))).toEqual([
      ['Fair &amp; more', '2', '0', '0', '–'],
      ['No source', '2', '1', '1', '50%'],
    ]);
    expect(cellsOf(sectionOf(html, 'Lost reasons'))).toEqual([['Too &lt;far>', '1']]);
  });

  test('each bar leads to the leads that it counts', async () => {
    const html = await show();
    let checked = 0;
    for (const title of ['First responses', 'Leads over time', 'Funnel', 'Sources', 'Lost reasons']) {
      const section = sectionOf(html, title);
      const numbers = cellsOf(section).map(([, number]) => Number(number));
      const links = linksOf(section);
      expect({ title, links: links.length }).toEqual({
        title,
        links: numbers.filter((each) => each > 0).length,
      });
      for (const [index, number] of numbers.filter((each) => each > 0).entries()) {
        expect({ link: links[index], leads: (await leadsOn(links[index]!)).length }).toEqual({
          link: links[index],
          leads: number,
        });
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(8);
    expect(await leadsOn(linksOf(sectionOf(html, 'Lost reasons'))[0]!)).toEqual(['tom@example.com']);
    expect(await leadsOn(linksOf(sectionOf(html, 'First response'))[0]!)).toEqual(['ana@example.com']);
  });

  test('each table is a file', async () => {
    const html = await show();
    const files = [...html.matchAll(/href="([^"]*figures\/export[^"]*)"/g)].map(([, path]) =>
      path!.replaceAll('&amp;', '&'),
    );
    expect(files.map((path) => new URL(path, gala.baseUrl).searchParams.get('table'))).toEqual([
      ...['responses', 'leads', 'funnel', 'sources', 'lost-reasons'],
    ]);
    const sources = await browser.get(files[3]!);
    expect(sources.headers).toMatchObject({
      'content-type': expect.stringContaining('text/csv'),
      'content-disposition': 'attachment; filename="sources.csv"',
    });
    expect(sources.text.replace('\ufeff', '')).toBe(
      'Source,Leads,Won,Lost,Win rate\r\nFair & more,2,0,0,\r\n,2,1,1,0.5\r\n',
    );
    expect(await browser.get(`${page}/export?table=secrets`)).toMatchObject({ status: 404 });
    expect(await browser.get(`${page}/export?table=leads&from=x&to=y`)).toMatchObject({ status: 404 });
  });

  test('a file runs no formula in a spreadsheet', async () => {
    await createLead(client, { source: '=1+1' });
    expect((await browser.get(`${page}/export?table=sources`)).text).toContain("\r\n'=1+1,1,");
  });

  test.each([
    'lostReason=reason_x',
    'response=maybe',
    'within=soon',
    'from=x&to=y',
    `stage=${'x'.repeat(201)}`,
  ])('there is no list of ?%s', async (query) =>
    expect(await browser.get(`${page}/leads?${query}`)).toMatchObject({ status: 404 }),
  );

  test('the sandbox has figures of its own', async () => {
    expect(await show(page.replace('live', 'test'))).toContain('No leads yet');
  });
});

test('more than a page of counted leads goes on', async () => {
  const items = Array.from({ length: 51 }, (_, index) => ({ email: `${index}@example.com` }));
  await client.post('/v1/leads/bulk', { operation: 'create', items });
  const first = await show(`${page}/leads`);
  const [, next] = /href="([^"]*cursor=[^"]*)"/.exec(first)!;
  const second = await show(next!.replaceAll('&amp;', '&'));
  expect([cellsOf(first).length, cellsOf(second).length]).toEqual([50, 1]);
});
