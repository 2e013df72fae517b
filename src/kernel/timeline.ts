import type { LeadId } from './ids';
import type { WorkspaceRef } from './principal';

/** The place of an entry in a timeline: its time, and type and id for entries of the same time. */
export interface TimelinePosition {
  readonly at: Date;
  /** In snake_case. The types of one part differ from those of every other part. */
  readonly type: string;
  /** Unique for the type. */
  readonly id: string;
}

/** Who did it: a credential, a person, the operator, the lead, or Gala itself. */
export interface TimelineActor {
  readonly type: 'api_key' | 'oauth' | 'user' | 'operator' | 'client' | 'system';
  readonly id: string | null;
  readonly name: string | null;
}

/** Something that happened to a lead. */
export interface TimelineEntry extends TimelinePosition {
  /** Null when it wasn't recorded. */
  readonly actor: TimelineActor | null;
  /** For people: a line of at most 500 characters. */
  readonly summary: string;
  /** For programs: an outline of the object, at most a few kilobytes. */
  readonly data: object;
}

/** The entries that one module contributes to the timelines of leads. */
export interface TimelinePart {
  /** For clients that can't see this part. */
  readonly name: string;
  /** The scope that a credential needs to see it. */
  readonly scope: string;
  /**
   * The latest entries of a lead that come after a position: at most `limit`, latest first by `compareEntries`. It reads what
   * stands in the module's own tables, by an index, and no more rows than it returns.
   */
  read(
    ref: WorkspaceRef,
    leadId: LeadId,
    after: TimelinePosition | undefined,
    limit: number,
  ): Promise<TimelineEntry[]>;
  /**
   * When the latest entry of each of these leads happened that isn't later than `until`: one statement for all of them. A part
   * without it doesn't count as activity in the list of leads.
   */
  latest?(ref: WorkspaceRef, leadIds: readonly LeadId[], until: Date): Promise<ReadonlyMap<LeadId, Date>>;
}

/** Sorts the latest entry first. Types and ids are ASCII, so that databases compare them alike. */
export function compareEntries(one: TimelinePosition, other: TimelinePosition): number {
  return (
    other.at.getTime() - one.at.getTime() ||
    compareTexts(other.type, one.type) ||
    compareTexts(other.id, one.id)
  );
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The parts of the timelines of leads. Each module adds its own. */
export class TimelineParts {
  private readonly parts: TimelinePart[] = [];

  /** Call it in a module's constructor. */
  add(part: TimelinePart): void {
    if (this.parts.some(({ name }) => name === part.name)) {
      throw new Error(`The part ${part.name} is added to the timeline twice. Give each its own name.`);
    }
    this.parts.push(part);
  }

  all(): readonly TimelinePart[] {
    return this.parts;
  }
}
