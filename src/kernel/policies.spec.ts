import { newId } from './ids';
import { Policies, type PolicyContext, PolicyRunner } from './policies';

interface Fields {
  name: string;
  note?: string | null;
  tags?: string[];
}
type Creation = PolicyContext & { readonly fields: Fields };
type Change = PolicyContext & { readonly thing: Fields; readonly changes: Partial<Fields> };

class ThingPolicies extends Policies<Creation, Change> {}

class DirectRunner extends PolicyRunner {
  readonly ran: string[] = [];
  run<Result>(policy: string, work: () => Promise<Result>): Promise<Result> {
    this.ran.push(policy);
    return work();
  }
  overrule<Result>(policy: string, work: () => Promise<Result>): Promise<Result | undefined> {
    return this.run(policy, work).catch(() => undefined);
  }
}

const ref = { workspaceId: newId('ws'), mode: 'live' } as const;
let runner: DirectRunner;
let policies: ThingPolicies;
beforeEach(() => {
  runner = new DirectRunner();
  policies = new ThingPolicies('thing', runner, () => []);
});

test('without policies fields and changes stay what they are, and nothing is run', async () => {
  const fields: Fields = { name: 'Ana' };
  expect(policies.decideOnCreation).toBe(false);
  expect(await policies.beforeCreate(ref, {}, fields)).toBe(fields);
  expect(await policies.beforeChange(ref, { thing: fields }, { name: 'Ben' })).toEqual({ name: 'Ben' });
  expect(await policies.beforeFact(ref, { thing: fields }, { name: 'Ben' })).toEqual({ name: 'Ben' });
  await policies.beforeAction(ref, { thing: fields });
  policies.add({ name: 'on changes alone', beforeChange: () => undefined });
  expect(policies.decideOnCreation).toBe(false);
  expect(runner.ran).toEqual([]);
});

test('each gets what the one before made of it, in the order of registration', async () => {
  policies.add({ name: 'first', beforeCreate: ({ fields }) => ({ name: `${fields.name}1`, note: 'x' }) });
  policies.add({ name: 'between' });
  policies.add({ name: 'second', beforeCreate: ({ fields }) => ({ name: `${fields.name}2`, note: null }) });
  expect(await policies.beforeCreate(ref, {}, { name: 'n', note: undefined })).toEqual({ name: 'n12' });
  expect(runner.ran).toEqual(['thing policy first', 'thing policy second']);
});

test('a policy keeps its `this`', async () => {
  class Prefix {
    readonly name = 'prefix';
    constructor(private readonly prefix: string) {}
    beforeCreate({ fields }: Creation): Partial<Fields> {
      return { name: this.prefix + fields.name };
    }
    beforeChange({ changes }: Change): Partial<Fields> {
      return { name: this.prefix + changes.name! };
    }
  }
  policies.add(new Prefix('>'));
  expect(await policies.beforeCreate(ref, {}, { name: 'a' })).toEqual({ name: '>a' });
  expect(await policies.beforeChange(ref, { thing: { name: 'a' } }, { name: 'b' })).toEqual({ name: '>b' });
});

test('what it gets can’t be changed in place, and is a copy', async () => {
  const tags = ['a'];
  policies.add({ name: 'in place', beforeCreate: ({ fields }) => void fields.tags!.push('b') });
  await expect(policies.beforeCreate(ref, {}, { name: 'n', tags })).rejects.toThrow(
    'object is not extensible',
  );
  expect(tags).toEqual(['a']);
  expect(Object.isFrozen(tags)).toBe(false);
});

test('a fact keeps its own value, whatever policies return or throw', async () => {
  policies.add({ name: 'adds', beforeChange: () => ({ name: 'other', note: 'added' }) });
  policies.add({
    name: 'refuses',
    beforeChange() {
      throw new Error('no');
    },
  });
  expect(await policies.beforeFact(ref, { thing: { name: 'a' } }, { name: 'fact' })).toEqual({
    name: 'fact',
    note: 'added',
  });
});
