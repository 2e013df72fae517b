import * as fc from 'fast-check';
import type { Client } from '../support/http-client';
import { funnel, Lead, outcomes, responses } from '../support/figures-reference';
import { startGala, type TestGala } from '../support/start-gala';
import { history, writeHistories } from './histories';

jest.setTimeout(120_000);

let gala: TestGala;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());

async function get(client: Client, report: string, parameters: Record<string, string>): Promise<any> {
  const { status, body } = await client.get(`/v1/reports/${report}?${new URLSearchParams(parameters)}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

/** Without what tells the row. */
const figuresOf = ({ from: _, to: __, key: ___, isOther = false, ...figures }: any) => {
  expect(isOther).toBe(false);
  return figures;
};
const sumOf = (rows: any[], name: string) => rows.reduce<number>((sum, row) => sum + Number(row[name]), 0);
const FATES = ['advanced', 'wentBack', 'lost', 'still'];
const sourceOf = ({ created: { source } }: Lead) => source?.toLowerCase() ?? null;

test('every number equals that of the reference, over 200 random histories', async () => {
  const property = fc.asyncProperty(
    fc.record({
      histories: fc.array(history, { minLength: 20, maxLength: 20 }),
      timeZone: fc.constantFrom('Europe/Madrid', 'America/New_York'),
      interval: fc.constantFrom('none', 'day', 'week', 'month'),
      target: fc.constantFrom(null, 1, 7, 90),
    }),
    async ({ histories, timeZone, interval, target }) => {
      const workspace = await gala.createWorkspace();
      const client = await workspace.client();
      await writeHistories(gala.databaseUrl, workspace.id, histories);
      await client.patch('/v1/response-target', { minutes: target });
      const leads = histories.map((each) => new Lead(each));
      const period = { from: '2026-10-22', to: '2026-11-07', timeZone };

      for (const groupBy of ['none', 'source']) {
        const of = (row: any) =>
          groupBy === 'none'
            ? leads
            : leads.filter((lead) => sourceOf(lead) === (row.key?.toLowerCase() ?? null));
        const answered = await get(client, 'responses', { ...period, interval, groupBy });
        expect(figuresOf(answered.total)).toEqual(responses(leads, timeZone, period, target));
        for (const row of answered.rows)
          expect(figuresOf(row)).toEqual(responses(of(row), timeZone, row, target));
        for (const basis of ['created', 'closed'] as const) {
          const decided = await get(client, 'outcomes', { ...period, interval, groupBy, basis });
          expect(figuresOf(decided.total)).toEqual(outcomes(leads, timeZone, period, basis));
          for (const row of decided.rows)
            expect(figuresOf(row)).toEqual(outcomes(of(row), timeZone, row, basis));
          for (const name of ['created', 'won', 'lost', 'open'])
            expect(sumOf(decided.rows, name)).toBe(decided.total[name]);
        }
      }
      for (const basis of ['created', 'entered'] as const) {
        const { stages } = await get(client, 'funnel', { ...period, basis });
        expect(stages).toEqual(funnel(leads, timeZone, period, basis));
        const vip = await get(client, 'funnel', { ...period, basis, tag: 'VIP' });
        const chosen = leads.filter(({ created }) => created.tag === 'vip');
        expect(vip.stages).toEqual(funnel(chosen, timeZone, period, basis));
        for (const row of stages)
          expect(FATES.reduce((sum, fate) => sum + Number(row[fate]), 0)).toBe(row.entered);
      }
      const waiting = leads.flatMap((lead) => (lead.isArchived ? [] : (lead.waitsSince ?? [])));
      const { data } = await get(client, 'unanswered', { limit: '100' });
      expect(data.map(({ awaitingReplySince }: any) => Date.parse(awaitingReplySince))).toEqual(
        waiting.toSorted((one, other) => one - other),
      );
    },
  );
  await fc.assert(property, { numRuns: 10, endOnFailure: true });
});
