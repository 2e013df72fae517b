import fc from 'fast-check';
import type { DomainEvent } from '../../../kernel/domain-event';
import { ValidationFailed } from '../../../kernel/errors';
import { newId } from '../../../kernel/ids';
import { Pipeline } from './pipeline';
import type { StageFields, StageView } from './pipeline-stage';
import { builtInOutcome, isBuiltIn, OUTCOMES, STAGE_ROLES, STAGES } from './stage';

const ref = { workspaceId: newId('ws'), mode: 'live' } as const;
const NOW = new Date('2027-01-15T09:30:00.000Z');
const ADDED = ['a', 'b', 'c'];

const key = fc.constantFrom(...STAGES, ...ADDED, 'nowhere');
const fields: fc.Arbitrary<Partial<StageFields>> = fc.record(
  {
    name: fc.constantFrom('One', 'Two'),
    outcome: fc.constantFrom(...OUTCOMES),
    allowedFrom: fc.option(fc.array(key, { maxLength: 3 })),
    requiredFields: fc.subarray(['guests', 'lostNote'] as const).map((names) => [...names]),
    isHidden: fc.boolean(),
  },
  { requiredKeys: [] },
);
type Step = (pipeline: Pipeline) => DomainEvent[];
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constantFrom(...ADDED), fields).map(
    ([added, given]): Step =>
      (pipeline) =>
        pipeline.add({ key: added, name: added, ...given }, NOW),
  ),
  fc.tuple(key, fields).map(
    ([of, given]): Step =>
      (pipeline) =>
        pipeline.change(of, given, NOW),
  ),
  fc.tuple(fc.constantFrom(...ADDED), fc.option(key, { nil: undefined })).map(
    ([of, moveTo]): Step =>
      (pipeline) =>
        pipeline.archive(of, moveTo, NOW),
  ),
  fc.constantFrom(...ADDED).map(
    (of): Step =>
      (pipeline) =>
        pipeline.restore(of, NOW),
  ),
  fc.infiniteStream(fc.nat()).map((numbers): Step => (pipeline) => {
    const ranks = new Map(pipeline.keys.map((each) => [each, numbers.next().value as number]));
    return pipeline.reorder(
      pipeline.keys.toSorted((one, other) => ranks.get(one)! - ranks.get(other)!),
      NOW,
    );
  }),
  fc.tuple(fc.constantFrom(...STAGE_ROLES), key).map(([role, to]): Step => (pipeline) => {
    pipeline.automate({ [role]: to });
    return [];
  }),
);
const leads = fc
  .dictionary(fc.constantFrom(...ADDED), fc.nat({ max: 3 }))
  .map((counts) => new Map(Object.entries(counts)));

const byKey = (pipeline: Pipeline) => new Map(pipeline.views().map((view) => [view.key, view]));

test('whatever happens to it, it stays whole, and its events tell all of it', () => {
  fc.assert(
    fc.property(leads, fc.array(step, { maxLength: 20 }), (counts, steps) => {
      const pipeline = new Pipeline(ref, [], counts);
      for (const apply of steps) {
        const before = byKey(pipeline);
        let events: DomainEvent[];
        try {
          events = apply(pipeline);
        } catch (error) {
          if (!(error instanceof ValidationFailed) && (error as Error).message !== 'No such stage.')
            throw error;
          expect(byKey(pipeline)).toEqual(before);
          continue;
        }
        const after = byKey(pipeline);
        for (const { data, previous, type } of events) {
          const view = data as StageView;
          expect(after.get(view.key)).toEqual(view);
          if (type === 'stage.created') expect(before.has(view.key)).toBe(false);
          else {
            const { moving: _, ...was } = before.get(view.key)!;
            expect({ ...view, ...previous }).toMatchObject(was);
          }
        }
        const told = new Set(events.map(({ data }) => (data as StageView).key));
        for (const [each, view] of after) if (!told.has(each)) expect(view).toEqual(before.get(each));

        const active = pipeline.views().filter(({ archivedAt }) => !archivedAt);
        expect(active.map((view) => view.key)).toEqual(pipeline.keys);
        for (const built of STAGES) {
          expect(active).toContainEqual(
            expect.objectContaining({
              key: built,
              outcome: builtInOutcome(built),
              allowedFrom: null,
              requiredFields: [],
            }),
          );
        }
        expect(active.some(({ outcome, isHidden }) => outcome === 'open' && !isHidden)).toBe(true);
        for (const target of Object.values(pipeline.automations)) {
          expect(['open', 'won']).toContain(active.find((view) => view.key === target)?.outcome);
        }
        for (const view of pipeline.views()) {
          if (view.moving) expect(active.map((each) => each.key)).toContain(view.moving.to);
          if (view.archivedAt && !view.moving) expect(view.leads).toBe(0);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('of two stages, at most one is behind the other; no stage is behind itself', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), key, key, (steps, one, other) => {
      const pipeline = new Pipeline(ref, []);
      for (const apply of steps) {
        try {
          apply(pipeline);
        } catch {
          // Refused steps change nothing.
        }
      }
      expect(pipeline.isBehind(one, one)).toBe(false);
      const isLost = (of: string) => pipeline.has(of) && pipeline.get(of).outcome === 'lost';
      if (!isLost(one) && !isLost(other)) {
        expect(pipeline.isBehind(one, other) && pipeline.isBehind(other, one)).toBe(false);
      }
    }),
  );
});

test('a first change writes all stages, a later one what it changed', () => {
  const first = new Pipeline(ref, []);
  expect(first.changed.map(({ key: each }) => each)).toEqual(STAGES);
  first.add({ key: 'a', name: 'A' }, NOW);
  const next = new Pipeline(ref, first.changed);
  expect(next.changed).toEqual([]);
  next.change('a', { name: 'B' }, NOW);
  next.automate({ visitBooked: 'a' });
  expect(next.changed.map(({ key: each }) => each).sort()).toEqual(['a', 'visit_booked']);
  expect(next.keys.filter((each) => !isBuiltIn(each))).toEqual(['a']);
});

test.each<[string, Step]>([
  ['outcome', (pipeline) => pipeline.change('a', { outcome: 'won' }, NOW)],
  ['isHidden', (pipeline) => pipeline.change('a', { isHidden: true }, NOW)],
  ['key', (pipeline) => pipeline.archive('a', undefined, NOW)],
])('the last open stage that is shown stays: %s', (field, apply) => {
  const pipeline = new Pipeline(ref, []);
  pipeline.add({ key: 'a', name: 'A' }, NOW);
  for (const { key: each, outcome } of pipeline.views()) {
    if (outcome === 'open' && isBuiltIn(each)) pipeline.change(each, { isHidden: true }, NOW);
  }
  const before = byKey(pipeline);
  expect(() => apply(pipeline)).toThrow(
    expect.objectContaining({ details: [expect.objectContaining({ field })] }),
  );
  expect(byKey(pipeline)).toEqual(before);
  pipeline.change('contacted', { isHidden: false }, NOW);
  expect(apply(pipeline)).toHaveLength(1);
});
