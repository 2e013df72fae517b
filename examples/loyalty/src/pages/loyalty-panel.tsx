import { Injectable } from '@nestjs/common';
import { type LeadPanel, Link, type PanelRequest, refOf, Section, settingsPath } from 'gala';
import { BY_POINTS, LoyaltyQueries } from '../application/loyalty-queries';

const FIRST = { page: 1, limit: 1, sort: BY_POINTS.sort, fingerprint: '', isUncounted: true } as const;

/** The points of a client, on the pages of their leads. */
@Injectable()
export class LoyaltyPanel implements LeadPanel {
  readonly name = 'loyalty';
  readonly place = 'side';
  readonly position = 100;

  constructor(private readonly queries: LoyaltyQueries) {}

  async content({ area, lead }: PanelRequest) {
    const { data } = await this.queries.list(refOf(area), { email: lead.email }, FIRST);
    const [account] = data;
    if (!account) return null;
    return (
      <Section title="Loyalty">
        <p>{account.points} points</p>
        <Link to={settingsPath(area, `${area.mode}/loyalty`)}>All clients with points</Link>
      </Section>
    );
  }
}
