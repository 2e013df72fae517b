import { Injectable } from '@nestjs/common';
import { dayIn } from '../../../kernel/time-zone';
import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { Section } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextField } from '../../../platform/pages/components/text-field';
import { Day, Time } from '../../../platform/pages/components/time';
import { CalendarQueries, dayPath, type SpaceView } from '../../calendar';
import { type LeadPanel, leadPath, type PanelRequest } from '../../leads';
import { refOf } from '../../shell';
import { HoldQueries } from '../application/hold-queries';
import type { HoldView } from '../domain/hold-view';

const MOST_SHOWN = 10;
const FIRST = {
  page: 1,
  limit: MOST_SHOWN,
  sort: { field: 'startsAt', descending: false },
  fingerprint: '',
} as const;

/** The dates that are held for a lead, on its page, and holding another. */
@Injectable()
export class HoldPanel implements LeadPanel {
  readonly name = 'hold';
  readonly place = 'side';
  readonly position = 10;

  constructor(
    private readonly queries: HoldQueries,
    private readonly calendar: CalendarQueries,
  ) {}

  async content(request: PanelRequest) {
    const ref = refOf(request.area);
    const filter = { leadId: request.lead.id, status: 'active' } as const;
    const { data: holds } = await this.queries.list(ref, filter, FIRST);
    const spaces = await this.calendar.spacesInUse(ref);
    return <Holds {...request} holds={holds} spaces={spaces} />;
  }
}

interface HoldsProps extends PanelRequest {
  holds: readonly HoldView[];
  spaces: readonly SpaceView[];
}

function Holds({ area, lead, form, holds, spaces }: HoldsProps) {
  const { timeZone } = area.workspace;
  const nameOf = (hold: HoldView) => spaces.find(({ id }) => id === hold.spaceId)?.name;
  return (
    <Section title="Holds">
      {holds.length === 0 && <p class="quiet">No date is held.</p>}
      <ul class="plain-list">
        {holds.map((hold) => {
          const day = typeof hold.startsAt === 'string' ? hold.startsAt : dayIn(timeZone, hold.startsAt);
          return (
            <li>
              <Link to={dayPath(area, day)}>
                <Day on={day} />
              </Link>{' '}
              {nameOf(hold)} <strong>option {hold.rank}</strong>
              <div class="quiet">
                Ends <Time at={hold.expiresAt} zone={timeZone} />
              </div>
            </li>
          );
        })}
      </ul>
      {(!lead.archivedAt || form.isFaulty) && spaces.length > 0 && (
        <Form action={`${leadPath(area, lead.id)}/holds`} id="hold">
          <TextField form={form} name="startsAt" label="Hold a date" type="date" required />
          <SelectField
            form={form}
            name="spaceId"
            label="Space"
            options={spaces.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <Button kind="secondary">Hold</Button>
        </Form>
      )}
      {spaces.length === 0 && <p class="quiet">Add a space with the API first: POST /v1/spaces.</p>}
    </Section>
  );
}
