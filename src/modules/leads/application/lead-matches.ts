import { ValidationFailed } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { MatchField } from './lead-writes';

/** Values by which leads are looked for. */
export type MatchValues = Readonly<Record<MatchField, readonly string[]>>;

/** A lead that has one of the values. */
export interface LeadMatch {
  readonly by: MatchField;
  /** As it was asked for. */
  readonly value: string;
  readonly id: LeadId;
  readonly createdAt: Date;
  readonly revision: number;
}

/** As many ids as a refusal names. */
export const MAX_NAMED = 10;

/** A port: finds leads by what other systems know of them. E-mail addresses are compared by `foldText`. */
export abstract class LeadMatches {
  /**
   * Keeps others from reserving one of the values until the unit of work ends. What is looked for afterwards, by others who
   * reserve too, is found. Such locks come before those of leads.
   */
  abstract reserve(ref: WorkspaceRef, values: readonly string[]): Promise<void>;
  /**
   * Finds, for each value, the newest leads that have it: one more than `MAX_NAMED` at most. Archived leads are found by
   * `externalId` alone.
   */
  abstract find(ref: WorkspaceRef, values: MatchValues): Promise<LeadMatch[]>;

  /**
   * @param own the lead that may have it
   * @throws ExternalIdTaken if another lead has it
   */
  async requireFree(ref: WorkspaceRef, externalId: string | null | undefined, own?: LeadId): Promise<void> {
    if (!externalId) return;
    const [match] = await this.find(ref, { externalId: [externalId], email: [], phone: [] });
    if (match && match.id !== own) throw new ExternalIdTaken(match.id);
  }
}

export class ExternalIdTaken extends ValidationFailed {
  /** @param id undefined if the lead isn't known yet: it is being written at the same time */
  constructor(readonly id?: LeadId) {
    super({ field: 'externalId', message: `is taken: ${id ? `the lead ${id}` : 'another lead'} has it` });
  }
}
