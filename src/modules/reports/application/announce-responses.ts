import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { LeadQueries, type LeadView } from '../../leads';
import { type FirstResponse, secondsBetween } from './journey-queries';

/** Limits the length of a transaction, and the rows that it keeps locked. */
export const BATCH = 50;

/** A lead's journey that an event tells of. */
export interface News {
  readonly ref: WorkspaceRef;
  readonly leadId: LeadId;
  /** Since when the lead waits, or waited. */
  readonly startedAt: Date;
  /** Null when the target was removed meanwhile. */
  readonly minutes: number | null;
  readonly response: Pick<FirstResponse, 'at' | 'kind' | 'by'> | null;
}

export abstract class ResponseNews {
  /**
   * Locks leads of all workspaces that have waited for their first response for longer than the target, and of which no event
   * has told. Leaves out those that another transaction has locked.
   */
  abstract lockOverdue(now: Date, atMost: number): Promise<News[]>;
  /** Locks leads that got their first response, likewise. */
  abstract lockResponded(atMost: number): Promise<News[]>;
  /** Records that events told of locked leads. */
  abstract saveOverdue(news: readonly News[], now: Date, events: readonly DomainEvent[]): Promise<void>;
  abstract saveResponded(news: readonly News[], now: Date, events: readonly DomainEvent[]): Promise<void>;
  /** Keeps `lockOverdue` from reading again what it has read. Call it when that found none. */
  abstract advance(now: Date): Promise<void>;
}

/** The `data` of both events: the lead, and how it stands with its first response. */
export interface LeadWithResponse extends LeadView {
  /** Null when the target was removed meanwhile. */
  responseDueAt: Date | null;
  /** Null while there is none. */
  firstResponse: FirstResponse | null;
}

/**
 * Tells that leads got their first response, or didn't within the target: `lead.responded` and `lead.response_overdue`.
 * Several instances may do so at once. The lock of a journey, the event and the record that it was told are one transaction,
 * so that each is told once, whenever a process dies.
 */
@Injectable()
export class AnnounceResponses {
  constructor(
    private readonly news: ResponseNews,
    private readonly leads: LeadQueries,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Announces a batch, and returns how many leads that were. */
  execute(): Promise<number> {
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      // First, so that no lead is told to be late after it was answered.
      const responded = await this.news.lockResponded(BATCH);
      if (responded.length > 0) {
        await this.news.saveResponded(responded, now, await this.events('lead.responded', responded, now));
      }
      const overdue = await this.news.lockOverdue(now, BATCH);
      if (overdue.length > 0) {
        await this.news.saveOverdue(overdue, now, await this.events('lead.response_overdue', overdue, now));
      } else if (responded.length === 0) await this.news.advance(now);
      return responded.length + overdue.length;
    });
  }

  private async events(type: string, all: readonly News[], timestamp: Date): Promise<DomainEvent[]> {
    const events: DomainEvent[] = [];
    for (const news of all) {
      if (type === 'lead.responded' && !news.response) continue;
      const lead = await this.leads.get(news.ref, news.leadId);
      events.push(domainEvent({ type, workspace: news.ref, timestamp, data: toData(lead, news) }));
    }
    return events;
  }
}

function toData(lead: LeadView, { startedAt, minutes, response }: News): LeadWithResponse {
  return {
    ...lead,
    responseDueAt: minutes === null ? null : new Date(startedAt.getTime() + minutes * 60_000),
    firstResponse: response && { ...response, seconds: secondsBetween(startedAt, response.at) },
  };
}
