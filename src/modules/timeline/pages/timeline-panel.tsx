import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../kernel/errors';
import { type TimelineEntry, TimelineParts } from '../../../kernel/timeline';
import { Link } from '../../../platform/pages/components/link';
import { Section } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import { type LeadPanel, leadPath, type PanelRequest } from '../../leads';
import { refOf } from '../../shell';
import { LeadTimeline, type TimelinePage } from '../application/lead-timeline';

const PAGE_SIZE = 25;
const PARAMETER = 'before';

/** What happened to a lead, on its page. People see every part: their role opens all scopes. */
@Injectable()
export class TimelinePanel implements LeadPanel {
  readonly name = 'timeline';
  readonly place = 'middle';
  readonly position = 20;

  constructor(
    private readonly timeline: LeadTimeline,
    private readonly parts: TimelineParts,
  ) {}

  async content(request: PanelRequest) {
    const page = await this.read(request, request.query(PARAMETER));
    return <History {...request} page={page} />;
  }

  /** A cursor that isn't one of this lead, such as in an address that somebody edited, shows the latest. */
  private async read({ area, lead }: PanelRequest, cursor: string): Promise<TimelinePage> {
    const scopes = this.parts.all().map(({ scope }) => scope);
    const read = (from?: string) =>
      this.timeline.read(refOf(area), scopes, lead.id, { limit: PAGE_SIZE, cursor: from });
    try {
      return await read(cursor || undefined);
    } catch (error) {
      if (error instanceof ValidationFailed) return read();
      throw error;
    }
  }
}

function History({ area, lead, query, page }: PanelRequest & { page: TimelinePage }) {
  const { nextCursor } = page.pagination;
  const path = leadPath(area, lead.id);
  return (
    <Section title="History">
      <ol class="history">
        {page.data.map((entry) => (
          <Entry entry={entry} zone={area.workspace.timeZone} />
        ))}
        {nextCursor === null && (
          <li>
            <p>Lead created{lead.source && `, from ${lead.source}`}</p>
            <p class="quiet">
              <Time at={lead.createdAt} zone={area.workspace.timeZone} />
            </p>
          </li>
        )}
      </ol>
      {(nextCursor ?? query(PARAMETER)) && (
        <nav aria-label="History" class="pagination">
          {query(PARAMETER) && (
            <Link to={path} class="button secondary">
              Latest
            </Link>
          )}
          {nextCursor && (
            <Link to={`${path}?${PARAMETER}=${nextCursor}`} class="button secondary">
              Earlier
            </Link>
          )}
        </nav>
      )}
    </Section>
  );
}

function Entry({ entry, zone }: { entry: TimelineEntry; zone: string }) {
  const { at, actor, summary, data } = entry;
  const said = 'text' in data && typeof data.text === 'string' ? data.text : undefined;
  return (
    <li>
      <p dir="auto">{summary}</p>
      <p class="quiet">
        <Time at={at} zone={zone} />
        {actor?.name && ` · ${actor.name}`}
      </p>
      {said && (
        <p class="said" dir="auto">
          {said}
        </p>
      )}
    </li>
  );
}
