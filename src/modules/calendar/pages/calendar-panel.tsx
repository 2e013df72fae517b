import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { PageRequest } from '../../../kernel/page';
import { DAY_MS } from '../../../kernel/time-zone';
import { Badge } from '../../../platform/pages/components/badge';
import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { Section } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextField } from '../../../platform/pages/components/text-field';
import { Day, Time } from '../../../platform/pages/components/time';
import { type LeadPanel, leadPath, type PanelRequest } from '../../leads';
import { refOf } from '../../shell';
import { CalendarQueries, type EventSortField } from '../application/calendar-queries';
import type { CalendarEventView } from '../domain/calendar-event';
import type { SpaceView } from '../domain/space';
import { entryPath } from './calendar-paths';
import { TYPE_NAMES } from './entry-texts';

const MOST_SHOWN = 10;
const DAYS_AHEAD = 365;
const FIRST: PageRequest<EventSortField> = {
  page: 1,
  limit: MOST_SHOWN,
  sort: { field: 'startsAt', descending: false },
  fingerprint: '',
};

/** What is planned with a lead, on its page, and booking a visit. */
@Injectable()
export class CalendarPanel implements LeadPanel {
  readonly name = 'visit';
  readonly place = 'side';
  readonly position = 20;

  constructor(
    private readonly queries: CalendarQueries,
    private readonly clock: Clock,
  ) {}

  async content(request: PanelRequest) {
    const ref = refOf(request.area);
    const now = this.clock.now();
    const range = {
      from: now.toISOString(),
      to: new Date(now.getTime() + DAYS_AHEAD * DAY_MS).toISOString(),
    };
    const filter = { leadId: request.lead.id, status: 'confirmed' } as const;
    const { data: events } = await this.queries.list(ref, range, filter, FIRST);
    const spaces = await this.queries.spacesInUse(ref);
    return <Calendar {...request} events={events} spaces={spaces} />;
  }
}

interface CalendarProps extends PanelRequest {
  events: readonly CalendarEventView[];
  spaces: readonly SpaceView[];
}

function Calendar({ area, lead, form, events, spaces }: CalendarProps) {
  const { timeZone } = area.workspace;
  return (
    <Section title="Calendar">
      {events.length === 0 && <p class="quiet">Nothing is planned in the next 12 months.</p>}
      <ul class="plain-list">
        {events.map(({ id, type, title, startsAt }) => (
          <li>
            <Badge kind={type === 'hold' ? 'warning' : 'info'}>{TYPE_NAMES[type]}</Badge>{' '}
            {typeof startsAt === 'string' ? <Day on={startsAt} /> : <Time at={startsAt} zone={timeZone} />}{' '}
            <Link to={entryPath(area, id)}>
              <bdi>{title}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      {(!lead.archivedAt || form.isFaulty) && (
        <Form action={`${leadPath(area, lead.id)}/visits`} id="visit">
          <TextField
            form={form}
            name="startsAt"
            label="Book a visit"
            type="datetime-local"
            hint={`Local time of ${timeZone}. It takes an hour.`}
            required
          />
          {spaces.length > 0 && (
            <SelectField
              form={form}
              name="spaceId"
              label="Space"
              options={[
                { value: '', label: 'None' },
                ...spaces.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          )}
          <Button kind="secondary">Book visit</Button>
        </Form>
      )}
    </Section>
  );
}
