import { Injectable } from '@nestjs/common';
import { ButtonLink } from '../../../platform/pages/components/button';
import { Link } from '../../../platform/pages/components/link';
import { Actions, Section } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import { type OverviewPart, type OverviewRequest, refOf } from '../../shell';
import { LeadQueries } from '../application/lead-queries';
import { leadPath, leadsPath } from './lead-paths';
import { LeadsView } from './leads-view';

const NEWEST = 6;

/** The newest leads, on the first page of a workspace. */
@Injectable()
export class LeadsSummary implements OverviewPart {
  readonly position = 0;

  constructor(private readonly queries: LeadQueries) {}

  async content({ area }: OverviewRequest) {
    const request = { ...LeadsView.columnRequest(), limit: NEWEST, isUncounted: true };
    const { data: leads } = await this.queries.list(refOf(area), { archived: 'false' }, request);
    return (
      <Section title="Newest leads">
        {leads.length === 0 && (
          <p class="quiet">No leads yet. They appear here as soon as your website or an app sends one.</p>
        )}
        <ul class="plain-list">
          {leads.map(({ id, name, email, createdAt }) => (
            <li class="with-end">
              <Link to={leadPath(area, id)}>
                <bdi>{name ?? email}</bdi>
              </Link>{' '}
              <span class="quiet">
                <Time at={createdAt} zone={area.workspace.timeZone} />
              </span>
            </li>
          ))}
        </ul>
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
}
