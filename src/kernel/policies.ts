import { type Actor, type ActingRef, callerOf } from './actor';
import { type FieldProblem, ValidationFailed } from './errors';
import type { WorkspaceRef } from './principal';

/** Where a policy decides, and for whom. */
export interface PolicyContext {
  readonly ref: WorkspaceRef;
  /** Null when nobody of the workspace acts: a client on a proposal's page, a chat message, a background job. */
  readonly caller: Actor | null;
}

type Creating = PolicyContext & { readonly fields: object };
type Changing = PolicyContext & { readonly changes: object };

/** The fields that a policy changes; all others stay. Nothing changes none. */
export type Decision<Fields> = Partial<Fields> | undefined;

/**
 * A rule of another team, applied before an object is written. It refuses by throwing `ValidationFailed`, or another public
 * error. It runs in the unit of work of the write: both take effect or neither. Its arguments are frozen copies.
 */
export interface Policy<Creation extends Creating, Change extends Changing> {
  /** Shown in logs and traces, and in the messages for fields that the policy sets to something invalid. */
  readonly name: string;
  beforeCreate?(creation: Creation): Answer<Creation['fields']>;
  beforeChange?(change: Change): Answer<Change['changes']>;
}

// A policy that only refuses returns nothing.
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type
type Answer<Fields> = Decision<Fields> | void | Promise<Decision<Fields> | void>;

/** What is wrong with the values of fields, by the rules that requests are validated with. */
export type FieldCheck = (fields: object) => readonly FieldProblem[];

/** A port: runs policies, and tells operators which one fails or is slow. */
export abstract class PolicyRunner {
  abstract run<Result>(policy: string, work: () => Promise<Result>): Promise<Result>;
  /** If the policy throws, its writes are rolled back, the error is logged, and the result is undefined. */
  abstract overrule<Result>(policy: string, work: () => Promise<Result>): Promise<Result | undefined>;
}

type About<Change> = Omit<Change, 'changes' | keyof PolicyContext>;
type Run = <Result>(policy: string, work: () => Promise<Result>) => Promise<Result | undefined>;

/** The policies for one kind of object. They run in the order in which they were added, each on the fields of the one before. */
export abstract class Policies<Creation extends Creating, Change extends Changing> {
  private readonly policies: Policy<Creation, Change>[] = [];

  /** @param kind the noun for such an object */
  constructor(
    private readonly kind: string,
    private readonly runner: PolicyRunner,
    private readonly check: FieldCheck,
  ) {}

  add(policy: Policy<Creation, Change>): void {
    const { name } = policy;
    if (this.policies.some((other) => other.name === name)) {
      throw new Error(`Two ${this.kind} policies have the name ${name}. Rename one of them.`);
    }
    this.policies.push(policy);
  }

  /** Whether any policy decides on the creation of an object, which then needs a unit of work. */
  get decideOnCreation(): boolean {
    return this.policies.some((policy) => 'beforeCreate' in policy);
  }

  /** Whether any policy decides on changes of an object. */
  get decideOnChange(): boolean {
    return this.policies.some((policy) => 'beforeChange' in policy);
  }

  /** The fields to create an object with. Fields without a value are absent from what policies get, and from the result. */
  async beforeCreate<Fields extends Creation['fields']>(
    ref: ActingRef,
    about: Omit<Creation, 'fields' | keyof PolicyContext>,
    fields: Fields,
  ): Promise<Fields> {
    if (!this.decideOnCreation) return fields;
    let current = withValues(fields);
    for (const policy of this.policies) {
      if (!policy.beforeCreate) continue;
      const creation = frozen({ ...contextOf(ref), ...about, fields: current }) as unknown as Creation;
      const decided = await this.runner.run(this.titleOf(policy), async () =>
        this.checked(policy, (await policy.beforeCreate!(creation)) ?? undefined),
      );
      current = withValues(this.combined(current, decided));
    }
    return current;
  }

  /** The changes to make. No policy is asked about none. */
  async beforeChange<Changes extends Change['changes']>(
    ref: ActingRef,
    about: About<Change>,
    changes: Changes,
  ): Promise<Changes> {
    const given = onlyGiven(changes);
    if (Object.keys(given).length === 0) return given;
    return this.change(ref, about, given, (name, work) => this.runner.run(name, work));
  }

  /** For an action that sets no fields, such as archiving: policies may refuse it, and nothing else. */
  async beforeAction(ref: ActingRef, about: About<Change>): Promise<void> {
    await this.change(ref, about, {}, (name, work) =>
      this.runner.run(name, async () => {
        const decided = await work();
        if (decided) throw new Error('A policy returned fields for an action that sets none.');
        return decided;
      }),
    );
  }

  /** For a change that follows from a fact: policies may add other changes, and can't refuse it. */
  async beforeFact<Changes extends Change['changes']>(
    ref: ActingRef,
    about: About<Change>,
    fact: Changes,
  ): Promise<Changes> {
    const changes = await this.change(ref, about, fact, (name, work) => this.runner.overrule(name, work));
    return { ...changes, ...fact };
  }

  /** The fields after a policy has decided: those that it names get its values. */
  protected combined<Fields extends object>(current: Fields, decided: object | undefined): Fields {
    return { ...current, ...decided };
  }

  private async change<Changes extends object>(
    ref: ActingRef,
    about: About<Change>,
    changes: Changes,
    run: Run,
  ): Promise<Changes> {
    let current = changes;
    for (const policy of this.policies) {
      if (!policy.beforeChange) continue;
      const change = frozen({ ...contextOf(ref), ...about, changes: current }) as unknown as Change;
      const decided = await run(this.titleOf(policy), async () =>
        this.checked(policy, (await policy.beforeChange!(change)) ?? undefined),
      );
      current = this.combined(current, decided);
    }
    return current;
  }

  private titleOf({ name }: { name: string }): string {
    return `${this.kind} policy ${name}`;
  }

  /** The fields that a policy returned, undefined for none. */
  private checked({ name }: { name: string }, returned: object | undefined): object | undefined {
    const decided = onlyGiven(returned ?? {});
    if (Object.keys(decided).length === 0) return undefined;
    const [first, ...more] = this.check(decided).map(({ field, message }) => ({
      field,
      message: `${message} (set by the policy ${name})`,
    }));
    if (first) throw new ValidationFailed(first, ...more);
    return decided;
  }
}

function contextOf(ref: ActingRef): PolicyContext {
  const { workspaceId, mode } = ref;
  return { ref: { workspaceId, mode }, caller: callerOf(ref) };
}

function onlyGiven<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

function withValues<Fields extends object>(fields: Fields): Fields {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries) as Fields;
}

/** A copy that throws when it is changed: a change in place would have no effect. */
function frozen<Value>(value: Value): Value {
  const freeze = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    Object.values(part).forEach(freeze);
    Object.freeze(part);
  };
  const copy = structuredClone(value);
  freeze(copy);
  return copy;
}
