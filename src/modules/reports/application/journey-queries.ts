import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { later } from '../../../kernel/time';
import type { TimelineActor } from '../../../kernel/timeline';

export const RESPONSE_KINDS = ['message', 'proposal', 'visit', 'activity', 'stage'] as const;
export type ResponseKind = (typeof RESPONSE_KINDS)[number];

/** A lead's most recent stays that are shown. */
export const MAX_STAYS = 500;

export interface FirstResponse {
  at: Date;
  kind: ResponseKind;
  /** Null when it isn't recorded. */
  by: TimelineActor | null;
  /** From the enquiry on. */
  seconds: number;
}

export interface Stay {
  stage: string;
  /** Null when it isn't known. */
  enteredAt: Date | null;
  /** Null for the present one. */
  leftAt: Date | null;
  /** Null when it isn't known; of the present stay until now. */
  seconds: number | null;
}

export interface JourneyView {
  firstResponse: FirstResponse | null;
  awaitingReplySince: Date | null;
  wonAt: Date | null;
  lostAt: Date | null;
  stages: Stay[];
  completeSince: Date;
}

/** A journey as it is stored. The last of the stays lasts. */
export interface StoredJourney {
  readonly createdAt: Date;
  readonly startedAt: Date;
  readonly response: Pick<FirstResponse, 'at' | 'kind' | 'by'> | null;
  readonly awaitingSince: Date | null;
  readonly wonAt: Date | null;
  readonly lostAt: Date | null;
  readonly stays: readonly Omit<Stay, 'seconds'>[];
  /** From then on, the changes of all leads are recorded. */
  readonly recordedSince: Date;
}

export abstract class JourneyReader {
  /** @param atMost limits the stays to the most recent */
  abstract find(ref: WorkspaceRef, leadId: LeadId, atMost: number): Promise<StoredJourney | undefined>;
}

@Injectable()
export class JourneyQueries {
  constructor(
    private readonly journeys: JourneyReader,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound for an unknown lead */
  async get(ref: WorkspaceRef, leadId: LeadId): Promise<JourneyView> {
    const journey = await this.journeys.find(ref, leadId, MAX_STAYS);
    if (!journey) throw new NotFound('lead');
    const { response, startedAt, awaitingSince, wonAt, lostAt, stays, createdAt, recordedSince } = journey;
    const now = this.clock.now();
    return {
      firstResponse: response && { ...response, seconds: secondsBetween(startedAt, response.at) },
      awaitingReplySince: awaitingSince,
      wonAt,
      lostAt,
      stages: stays.map((stay) => ({
        ...stay,
        seconds: stay.enteredAt && secondsBetween(stay.enteredAt, stay.leftAt ?? now),
      })),
      completeSince: later(recordedSince, createdAt),
    };
  }
}

/** Whole seconds; none for an answer that was given before, such as a call before the lead was entered. */
export function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000));
}
