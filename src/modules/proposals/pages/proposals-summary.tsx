import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { addDays, dayIn } from '../../../kernel/time-zone';
import { ButtonLink } from '../../../platform/pages/components/button';
import { Link } from '../../../platform/pages/components/link';
import { Section } from '../../../platform/pages/components/section';
import { type OverviewPart, type OverviewRequest, refOf } from '../../shell';
import { MOST_OPEN, ProposalQueries } from '../application/proposal-queries';
import { Expiry } from './expiry';
import { formatMoney } from './money-format';
import { proposalPath, proposalsPath } from './proposal-paths';

const MOST_SHOWN = 6;

/** What the proposals amount to that clients haven't answered, on the first page of a workspace. */
@Injectable()
export class OpenProposalsFigure implements OverviewPart {
  readonly place = 'figure';
  readonly position = 10;

  constructor(private readonly queries: ProposalQueries) {}

  async content({ area }: OverviewRequest) {
    const { locale, currency: usual } = area.workspace;
    const { totals, isPartial } = await this.queries.openTotals(refOf(area));
    const count = totals.reduce((sum, each) => sum + each.count, 0);
    const shown = totals.length > 0 ? totals : [{ currency: usual, total: 0n }];
    return (
      <Section title="Open proposals">
        <dl class="numbers">
          {shown.map(({ currency, total }) => (
            <div>
              <dt>{isPartial ? `More than, in ${currency}` : `Value in ${currency}`}</dt>
              <dd>{formatMoney(total, currency, locale)}</dd>
            </div>
          ))}
        </dl>
        <p class="quiet">
          {isPartial
            ? `More than ${MOST_OPEN.toLocaleString(locale)} proposals wait for an answer.`
            : waiting(count)}
        </p>
      </Section>
    );
  }
}

function waiting(count: number): string {
  if (count === 0) return 'No proposal waits for an answer.';
  return count === 1 ? '1 proposal waits for an answer.' : `${count} proposals wait for an answer.`;
}

/** The proposals that expire within a week, on the first page of a workspace. */
@Injectable()
export class ExpiringProposals implements OverviewPart {
  readonly position = 5;

  constructor(
    private readonly queries: ProposalQueries,
    private readonly clock: Clock,
  ) {}

  async content({ area }: OverviewRequest) {
    const today = dayIn(area.workspace.timeZone, this.clock.now());
    const found = await this.queries.expiring(refOf(area), today, addDays(today, 7), MOST_SHOWN + 1);
    return (
      <Section title="Proposals expiring this week">
        {found.length === 0 && <p class="quiet">No open proposals expire in the next seven days.</p>}
        <ul class="plain-list">
          {found.slice(0, MOST_SHOWN).map((proposal) => (
            <li class="with-end">
              <Link to={proposalPath(area, proposal.id)}>
                <bdi>{proposal.client.name ?? proposal.client.email}</bdi> · <bdi>{proposal.title}</bdi>
              </Link>{' '}
              <span class="quiet">
                <Expiry proposal={proposal} today={today} />
              </span>
            </li>
          ))}
        </ul>
        <ButtonLink kind="secondary" to={`${proposalsPath(area)}?sort=validUntil`}>
          {found.length > MOST_SHOWN ? 'All by expiry' : 'All proposals'}
        </ButtonLink>
      </Section>
    );
  }
}
