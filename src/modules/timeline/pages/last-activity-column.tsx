import { Injectable } from '@nestjs/common';
import type { ComponentChildren } from 'preact';
import { Clock } from '../../../kernel/clock';
import type { LeadId } from '../../../kernel/ids';
import { later } from '../../../kernel/time';
import { TimelineParts } from '../../../kernel/timeline';
import { Time } from '../../../platform/pages/components/time';
import type { LeadColumn, LeadView } from '../../leads';
import { type Area, refOf } from '../../shell';

/** Changes that follow each other have times of their own, and instances' clocks differ. */
const AHEAD_MS = 60_000;

/** When something last happened to a lead by its timeline, or else when it was created. */
@Injectable()
export class LastActivityColumn implements LeadColumn {
  readonly title = 'Last activity';
  readonly isForLists = true;

  constructor(
    private readonly parts: TimelineParts,
    private readonly clock: Clock,
  ) {}

  /** One part after the other, so that a request takes one connection at a time. */
  async cells(area: Area, leads: readonly LeadView[]): Promise<ReadonlyMap<LeadId, ComponentChildren>> {
    const latest = new Map(leads.map(({ id, createdAt }) => [id, createdAt]));
    const ids = [...latest.keys()];
    const until = new Date(this.clock.now().getTime() + AHEAD_MS);
    for (const part of this.parts.all()) {
      const found = (await part.latest?.(refOf(area), ids, until)) ?? [];
      for (const [id, at] of found) latest.set(id, later(at, latest.get(id)!));
    }
    const { timeZone } = area.workspace;
    return new Map([...latest].map(([id, at]) => [id, <Time at={at} zone={timeZone} />]));
  }
}
