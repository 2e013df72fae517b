import * as fc from 'fast-check';
import { ValidationFailed } from '../../src/kernel/errors';
import type { HoldId, SpaceId } from '../../src/kernel/ids';
import type { WorkspaceRef } from '../../src/kernel/principal';
import { PlanEvent } from '../../src/modules/calendar';
import { ChallengeHolds } from '../../src/modules/holds/application/challenge-holds';
import { ChangeHold } from '../../src/modules/holds/application/change-hold';
import { EndHolds } from '../../src/modules/holds/application/end-holds';
import { HoldQueries } from '../../src/modules/holds/application/hold-queries';
import { PlaceHold } from '../../src/modules/holds/application/place-hold';
import type { HoldView } from '../../src/modules/holds/domain/hold-view';
import { createSpace } from '../support/calendar';
import { allEvents } from '../support/events';
import type { FakeClock } from '../support/fake-clock';
import { HoldModel, type ModelHold, type ModelInput } from '../support/hold-oracle';
import type { TestGala } from '../support/start-gala';

const HOUR = 3_600_000;
/** Hours of set-up and clearing. */
const SPACES = [
  [0, 0],
  [2, 1],
  [0, 3],
  [1, 1],
  [0, 0],
  [4, 0],
].map(([setup, clearing]) => ({
  setup: setup!,
  clearing: clearing!,
}));

const asked = fc.record({
  spaces: fc.uniqueArray(fc.nat(SPACES.length - 1), { minLength: 1, maxLength: 3 }),
  /** Hours from the present hour. */
  start: fc.integer({ min: 20, max: 90 }),
  length: fc.integer({ min: 2, max: 60 }),
});
const pick = fc.nat(999);
const operation = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      asked,
      group: fc.constantFrom(null, null, 'a', 'b'),
      expires: fc.option(fc.double({ min: 0.01, max: 1, noNaN: true })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('move' as const), pick, asked, isPart: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('confirm' as const), pick, overHolds: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('challenge' as const),
      pick,
      hours: fc.option(fc.integer({ min: 1, max: 25 }), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('book' as const), asked, overHolds: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 20 }) }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

export const operations = (most: number) =>
  fc.array(operation, { minLength: most / 2, maxLength: most, size: 'max' });

/** Does the same to Gala and to the model, and compares them after each operation. */
export class ComparedHolds {
  private readonly ids = new Map<string, HoldId>();
  private spaceIds: SpaceId[] = [];
  private ref!: WorkspaceRef;
  private model!: HoldModel;

  constructor(
    private readonly gala: TestGala,
    private readonly clock: FakeClock,
  ) {}

  async run(operations: readonly Operation[]): Promise<void> {
    const workspace = await this.gala.createWorkspace();
    const client = await workspace.client('test');
    this.ref = { workspaceId: workspace.id, mode: 'test' };
    this.ids.clear();
    this.spaceIds = [];
    for (const { setup, clearing } of SPACES) {
      const fields = { setupMinutes: setup * 60, clearingMinutes: clearing * 60 };
      this.spaceIds.push((await createSpace(client, fields)).id as SpaceId);
    }
    this.model = new HoldModel(SPACES, this.clock.now().getTime());
    for (const [index, each] of operations.entries()) {
      const [expected, work] = this.both(each, `Hold ${index}`);
      const field = await fieldRefused(work);
      expect({ index, ...each, field }).toEqual({ index, ...each, field: expected });
      await this.compare();
    }
    await this.replay();
  }

  /** Changes the model, and returns the refused field with the same work in Gala. */
  private both(each: Operation, name: string): [string | undefined, () => Promise<unknown>] {
    switch (each.kind) {
      case 'wait':
        this.clock.advance(each.hours * 3600);
        return [this.model.advance(each.hours) as undefined, () => Promise.resolve()];
      case 'place':
        return this.placed(name, each);
      case 'book': {
        const wanted = this.modelInput(each.asked);
        const input = { ...this.written(wanted), type: 'event' as const, title: name };
        return [
          this.model.book(wanted, each.overHolds),
          () => this.get(PlanEvent).execute(this.ref, { ...input, overHolds: each.overHolds }),
        ];
      }
    }
    const hold = this.pick(each.pick);
    if (!hold) return [undefined, () => Promise.resolve()];
    const id = this.ids.get(hold.name)!;
    switch (each.kind) {
      case 'move': {
        const wanted = each.isPart ? partOf(hold, each.asked) : this.modelInput(each.asked);
        if (wanted.from <= this.model.now) return [undefined, () => Promise.resolve()];
        return [
          this.model.move(hold, wanted),
          () => this.get(ChangeHold).execute(this.ref, id, this.written(wanted)),
        ];
      }
      case 'release':
        return [this.model.release(hold), () => this.get(EndHolds).release(this.ref, id)];
      case 'confirm':
        return [
          this.model.confirm(hold, each.overHolds),
          () => this.get(EndHolds).confirm(this.ref, id, each.overHolds),
        ];
      case 'challenge': {
        const deadline = each.hours && new Date(this.model.now + each.hours * HOUR);
        return [
          this.model.challenge(hold, each.hours),
          () => this.get(ChallengeHolds).challenge(this.ref, id, deadline || undefined),
        ];
      }
      case 'withdraw':
        return [this.model.withdraw(hold), () => this.get(ChallengeHolds).withdraw(this.ref, id)];
    }
  }

  private placed(
    name: string,
    { asked: wanted, group, expires: part }: Extract<Operation, { kind: 'place' }>,
  ): [string | undefined, () => Promise<unknown>] {
    const fields = this.modelInput(wanted);
    const { now } = this.model;
    const expires = part === null ? undefined : now + Math.ceil((fields.from - now) * part);
    const place = async () => {
      const input = { ...this.written(fields), title: name, group };
      const expiresAt = expires === undefined ? undefined : new Date(expires).toISOString();
      const { id } = await this.get(PlaceHold).execute(this.ref, { ...input, expiresAt });
      this.ids.set(name, id);
    };
    return [this.model.place(name, { ...fields, group, expires }), place];
  }

  private modelInput({ spaces, start, length }: Extract<Operation, { kind: 'book' }>['asked']): ModelInput {
    const from = this.model.now + start * HOUR;
    return { spaces, from, to: from + length * HOUR };
  }

  private written({ spaces, from, to }: ModelInput) {
    return {
      startsAt: new Date(from).toISOString(),
      endsAt: new Date(to).toISOString(),
      spaces: {
        field: spaces.length > 1 ? ('spaceIds' as const) : ('spaceId' as const),
        ids: spaces.map((space) => this.spaceIds[space]!),
      },
    };
  }

  /** Mostly a live one. */
  private pick(number: number): ModelHold | undefined {
    const live = this.model.live();
    const among = live.length > 0 && number % 10 > 0 ? live : this.model.holds;
    return among[number % among.length];
  }

  private async compare(): Promise<void> {
    const views = await this.views();
    const of = (hold: ModelHold) => this.ids.get(hold.name)!;
    const time = (at: number | null) => at && new Date(at);
    for (const hold of this.model.holds) {
      const isLive = hold.status === 'active';
      const ahead = isLive ? this.model.ahead(hold).map(of) : null;
      expect(views.get(of(hold))).toMatchObject({
        ...{ status: hold.status, endedReason: hold.reason, ahead, rank: ahead && ahead.length + 1 },
        ...(isLive && { expiresAt: time(hold.expires), answerBy: time(this.model.answerBy(hold)) }),
        challengeDeadline: time(hold.challenge),
        challengedBy: isLive ? this.model.challengers(hold).map(of) : [],
      });
    }
  }

  private async views(): Promise<Map<HoldId, HoldView>> {
    const request = { page: 1, limit: 100, sort: { field: 'startsAt', descending: false }, fingerprint: '' };
    const { data } = await this.get(HoldQueries).list(this.ref, {}, request as never);
    return new Map(data.map((view) => [view.id, view]));
  }

  /** The last event of each hold tells what it is now. */
  private async replay(): Promise<void> {
    const told = new Map<string, unknown>();
    for (const { type, data } of await allEvents(this.gala, this.ref.workspaceId)) {
      if (type.startsWith('hold.')) told.set(data.id, data);
    }
    const views = [...(await this.views()).values()];
    expect([...told.keys()].sort()).toEqual(views.map(({ id }) => id).sort());
    for (const view of views) expect(told.get(view.id)).toEqual(JSON.parse(JSON.stringify(view)));
  }

  private get<Type>(type: abstract new (...given: never[]) => Type): Type {
    return this.gala.app.get(type as never, { strict: false });
  }
}

/** A shorter time within its own, and perhaps fewer spaces. */
function partOf(hold: ModelHold, { start, length }: { start: number; length: number }): ModelInput {
  const hours = Math.floor((hold.to - hold.from) / HOUR);
  const offset = start % hours;
  const to = Math.min(hold.to, hold.from + (offset + length) * HOUR);
  return {
    spaces: hold.spaces.slice(0, 1 + (start % hold.spaces.length)),
    from: hold.from + offset * HOUR,
    to,
  };
}

async function fieldRefused(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof ValidationFailed) return error.details[0]!.field;
    throw error;
  }
}
