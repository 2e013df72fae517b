import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { newId } from '../../../kernel/ids';
import { EntityStatements } from '../../../platform/persistence/entity-statements';
import { Lead } from '../domain/lead';
import { STAGES } from '../domain/stage';
import { LeadSchema } from './lead.schema';

/** The statements of a mapping, created without a database. */
async function statementsOfLeads(): Promise<EntityStatements<Lead>> {
  const dataSource = new DataSource({
    type: 'postgres',
    url: 'postgres://nowhere.invalid/gala',
    entities: [LeadSchema],
    entitySkipConstructor: true,
  });
  await (dataSource as unknown as { buildMetadatas(): Promise<void> }).buildMetadatas();
  return new EntityStatements(dataSource, LeadSchema);
}

/** The row that an INSERT creates, as the driver reads it. */
function rowOf({ text, values }: { text: string; values: readonly unknown[] }): Record<string, unknown> {
  const columns = /\(([^)]*)\) VALUES/
    .exec(text)![1]!
    .split(', ')
    .map((name) => name.slice(1, -1));
  const row = Object.fromEntries(columns.map((column, index) => [column, values[index]]));
  return { ...row, custom: JSON.parse(row.custom as string) };
}

const fields = fc.record({
  name: fc.option(fc.string()),
  email: fc.emailAddress(),
  eventDate: fc.option(fc.constant('2027-06-19')),
  guests: fc.option(fc.nat()),
  stage: fc.constantFrom(...STAGES),
  tags: fc.array(fc.string()),
});
const ref = { workspaceId: newId('ws'), mode: 'live' } as const;

test('a lead that is written is read again as it was, as an entity and as a view', async () => {
  const statements = await statementsOfLeads();
  const readPlain = statements.plainReader('workspaceId', 'mode', 'revision');
  fc.assert(
    fc.property(fields, fc.date({ noInvalidDate: true }), (written, now) => {
      const { lead } = Lead.open(ref, written, now);
      const row = { ...rowOf(statements.insert(lead)), total_count: 1 };
      const read = statements.read(row);
      expect(read).toBeInstanceOf(Lead);
      expect(read).toEqual(lead);
      const plain = readPlain(row);
      expect(Object.keys(plain)).toEqual(Object.keys(lead.view()));
      expect(plain).toEqual({ ...lead.view() });
    }),
  );
});

test('an update names a row by its whole key, and a list is sorted by mapped fields alone', async () => {
  const statements = await statementsOfLeads();
  const { lead } = Lead.open(ref, { email: 'ada@example.com' }, new Date());
  expect(statements.update(lead).text).toMatch(
    /^UPDATE "leads" SET "name" = \$4, .* WHERE "workspace_id" = \$1 AND "mode" = \$2 AND "id" = \$3$/,
  );
  expect(statements.selectByKey).toBe(
    `${statements.select} WHERE "workspace_id" = $1 AND "mode" = $2 AND "id" = $3`,
  );
  expect(statements.columns).not.toContain('search_text');
  expect(statements.sortedBy('eventDate').sort).toEqual({
    column: '"event_date"',
    type: 'date',
    nullable: true,
  });
  expect(() => statements.sortedBy('id; DROP TABLE leads' as 'id')).toThrow(
    '"leads" has no column for id; DROP TABLE leads',
  );
});
