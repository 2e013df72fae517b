import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../kernel/errors';
import type { HoldId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { parseInstant } from '../../../kernel/time';
import { addDays, startOfDay } from '../../../kernel/time-zone';
import { HeldSpaces } from '../../calendar';
import type { HoldView } from '../domain/hold-view';
import { type HoldFilter, HoldRepository, type StoredPolicy } from './hold-repository';
import { SettleHolds } from './settle-holds';

export interface HoldListInput extends Omit<HoldFilter, 'range' | 'expiresBefore'> {
  /** Instants, or days in the workspace's time zone; `to` includes its day. */
  from?: string;
  to?: string;
  expiresBefore?: string;
}

/** Reads holds as they are at this moment: what is due has ended. */
@Injectable()
export class HoldQueries {
  constructor(
    private readonly holds: HoldRepository,
    private readonly spaces: HeldSpaces,
    private readonly settleHolds: SettleHolds,
  ) {}

  async get(ref: WorkspaceRef, id: HoldId): Promise<HoldView> {
    await this.settleHolds.execute(ref);
    const hold = await this.holds.find(ref, id);
    if (!hold) throw new NotFound('hold');
    return hold;
  }

  async list(
    ref: WorkspaceRef,
    { from, to, expiresBefore, ...others }: HoldListInput,
    request: PageRequest<'startsAt'>,
  ): Promise<Page<HoldView>> {
    const zone = from || to || expiresBefore ? await this.spaces.timeZoneOf(ref) : 'UTC';
    const begins = (text?: string) => text && (parseInstant(text) ?? startOfDay(zone, text));
    const ends = (text?: string) => text && (parseInstant(text, 'up') ?? startOfDay(zone, addDays(text, 1)));
    const filter: HoldFilter = {
      ...others,
      range: { from: begins(from) || undefined, to: ends(to) || undefined },
      expiresBefore: begins(expiresBefore) || undefined,
    };
    await this.settleHolds.execute(ref);
    const slice = await this.holds.list(ref, filter, request);
    const page = pageOf(request, slice, ({ view, startsAt }) => ({
      value: startsAt.toISOString(),
      id: view.id,
    }));
    return { ...page, data: page.data.map(({ view }) => view) };
  }

  policy(ref: WorkspaceRef): Promise<StoredPolicy> {
    return this.holds.policy(ref);
  }
}
