import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { DAY_MS } from '../../../kernel/time-zone';
import { ButtonLink } from '../../../platform/pages/components/button';
import { Link } from '../../../platform/pages/components/link';
import { Actions, Section } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import { type Area, type OverviewPart, type OverviewRequest, refOf } from '../../shell';
import { LeadQueries } from '../application/lead-queries';
import type { LeadView } from '../domain/lead';
import { leadPath, leadsPath } from './lead-paths';
import { LeadsView } from './leads-view';

const NEWEST = 6;
const WINDOWS = [7, 30] as const;

/** The newest leads and how many have come lately, on the first page of a workspace. */
@Injectable()
export class LeadsSummary implements OverviewPart {
  readonly position = 0;

  constructor(
    private readonly queries: LeadQueries,
    private readonly clock: Clock,
  ) {}

  async content({ area }: OverviewRequest) {
    const ref = refOf(area);
    const now = this.clock.now().getTime();
    const request = { ...LeadsView.columnRequest(), limit: NEWEST, isUncounted: true };
    const { data: leads } = await this.queries.list(ref, { archived: 'false' }, request);
    const counts: number[] = [];
    for (const days of WINDOWS) {
      counts.push(await this.queries.countCreatedAfter(ref, new Date(now - days * DAY_MS)));
    }
    return <Summary area={area} leads={leads} counts={counts} />;
  }
}

function Summary({
  area,
  leads,
  counts,
}: {
  area: Area;
  leads: readonly LeadView[];
  counts: readonly number[];
}) {
  const { locale, timeZone } = area.workspace;
  return (
    <Section title="Leads">
      {leads.length === 0 ? (
        <p class="quiet">No leads yet. They appear here as soon as your website or an app sends one.</p>
      ) : (
        <>
          <dl class="numbers">
            {WINDOWS.map((days, index) => (
              <div>
                <dt>New in {days} days</dt>
                <dd>{shownCount(counts[index]!, locale)}</dd>
              </div>
            ))}
          </dl>
          <ul class="plain-list">
            {leads.map(({ id, name, email, createdAt }) => (
              <li>
                <Link to={leadPath(area, id)}>
                  <bdi>{name ?? email}</bdi>
                </Link>{' '}
                <span class="quiet">
                  <Time at={createdAt} zone={timeZone} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <Actions>
        <ButtonLink kind="secondary" to={leadsPath(area)}>
          All leads
        </ButtonLink>
        <ButtonLink kind="secondary" to={`${leadsPath(area)}?view=board`}>
          Board
        </ButtonLink>
      </Actions>
    </Section>
  );
}

function shownCount(count: number, locale: string): string {
  const most = LeadQueries.MOST_COUNTED;
  return count > most ? `${most.toLocaleString(locale)}+` : count.toLocaleString(locale);
}
