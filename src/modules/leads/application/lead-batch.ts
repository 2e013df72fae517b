import type { DomainEvent } from '../../../kernel/domain-event';
import type { LeadId } from '../../../kernel/ids';
import { foldText } from '../../../kernel/text';
import type { Lead } from '../domain/lead';
import type { LeadMatch } from './lead-matches';
import type { LeadChanges } from './lead-repository';
import { MATCH_FIELDS, type MatchField } from './lead-writes';

/** The leads of a batch have changed since they were found, or one that it needs isn't locked: it begins again. */
export class StaleBatch extends Error {}

type Found = Pick<LeadMatch, 'id' | 'createdAt'>;
type FieldsBefore = Readonly<Pick<Lead, 'externalId'>>;

/** The leads that a batch of writes reads and changes. A later write finds what earlier ones have changed, stored or not. */
export class LeadBatch {
  private readonly leads: Map<LeadId, Lead>;
  private readonly found = new Map<string, Found[]>();
  /** The leads of this batch by what they had after a write; some may have changed again. */
  private readonly written = new Map<string, Set<Lead>>();
  private readonly added = new Set<Lead>();
  /** With their fields before. */
  private readonly changed = new Map<Lead, FieldsBefore>();
  private events: (readonly DomainEvent[])[] = [];

  /**
   * @param asked the leads that were to be locked
   * @param locked those of them that exist
   */
  constructor(
    matches: readonly LeadMatch[],
    private readonly asked: ReadonlySet<LeadId>,
    locked: readonly Lead[],
  ) {
    this.leads = new Map(locked.map((lead) => [lead.id, lead]));
    for (const { by, value, id, createdAt, revision } of matches) {
      const lead = this.leads.get(id);
      if (lead && lead.revision !== revision) throw new StaleBatch();
      const found = listIn(this.found, keyOf(by, value));
      // An address may have been looked for in several spellings.
      if (!found.some((other) => other.id === id)) found.push({ id, createdAt });
    }
  }

  /** @throws StaleBatch for a lead that wasn't to be locked */
  get(id: LeadId): Lead | undefined {
    const lead = this.leads.get(id);
    if (!lead && !this.asked.has(id)) throw new StaleBatch();
    return lead;
  }

  /** The leads that match by now, newest first. Only values that were looked for are found. */
  idsWith(by: MatchField, value: string): LeadId[] {
    const key = keyOf(by, value);
    const found = this.found.get(key) ?? [];
    const still = found.filter(({ id }) => {
      const lead = this.leads.get(id);
      return !lead || hasKey(lead, by, key);
    });
    const written = [...(this.written.get(key) ?? [])].filter(
      (lead) =>
        this.leads.get(lead.id) === lead && hasKey(lead, by, key) && !found.some(({ id }) => id === lead.id),
    );
    return [...still, ...written].sort(newestFirst).map(({ id }) => id);
  }

  add(lead: Lead, events: readonly DomainEvent[]): void {
    this.leads.set(lead.id, lead);
    this.added.add(lead);
    this.note(lead, events);
  }

  /** @param before its fields before this change */
  change(lead: Lead, before: FieldsBefore, events: readonly DomainEvent[]): void {
    if (!this.added.has(lead) && !this.changed.has(lead)) this.changed.set(lead, before);
    this.note(lead, events);
  }

  /** What is to be stored. */
  get pending(): LeadChanges {
    const [added, changed] = [[...this.added], [...this.changed.keys()]];
    const taken = new Set([...added, ...changed].map(({ externalId }) => externalId));
    const giving = changed.filter((lead) => {
      const { externalId } = this.changed.get(lead)!;
      return externalId !== null && externalId !== lead.externalId && taken.has(externalId);
    });
    return { added, changed, giving: giving.map(({ id }) => id), events: this.events };
  }

  /** It has been stored. */
  settle(): void {
    this.added.clear();
    this.changed.clear();
    this.events = [];
  }

  /** It couldn't be stored. */
  undo(): void {
    for (const { id } of this.added) this.leads.delete(id);
    for (const [lead, before] of this.changed) Object.assign(lead, before);
    this.settle();
  }

  private note(lead: Lead, events: readonly DomainEvent[]): void {
    this.events.push(events);
    for (const by of MATCH_FIELDS) {
      const value = lead[by];
      if (value === null) continue;
      const key = keyOf(by, value);
      this.written.set(key, (this.written.get(key) ?? new Set()).add(lead));
    }
  }
}

function keyOf(by: MatchField, value: string): string {
  return `${by} ${by === 'email' ? foldText(value) : value}`;
}

function hasKey(lead: Lead, by: MatchField, key: string): boolean {
  const value = lead[by];
  return value !== null && (by === 'externalId' || !lead.archivedAt) && keyOf(by, value) === key;
}

function newestFirst(one: Found, other: Found): number {
  return other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1);
}

function listIn<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
