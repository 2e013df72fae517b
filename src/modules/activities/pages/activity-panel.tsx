import { Injectable } from '@nestjs/common';
import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Section } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextArea } from '../../../platform/pages/components/text-area';
import { type LeadPanel, leadPath, type PanelRequest } from '../../leads';
import type { ActivityType } from '../domain/activity';

/** What a person can log on a lead's page, as they would call it. */
export const CHOICES: readonly {
  value: string;
  label: string;
  type: ActivityType;
  direction?: 'in' | 'out';
}[] = [
  { value: 'note', label: 'Note', type: 'note' },
  { value: 'call-in', label: 'Call from the lead', type: 'call', direction: 'in' },
  { value: 'call-out', label: 'Call to the lead', type: 'call', direction: 'out' },
  { value: 'email-in', label: 'Email from the lead', type: 'email', direction: 'in' },
  { value: 'email-out', label: 'Email to the lead', type: 'email', direction: 'out' },
  { value: 'meeting', label: 'Meeting', type: 'meeting' },
];

/** Writes a note on a lead's page, or logs a call, an email or a meeting. */
@Injectable()
export class ActivityPanel implements LeadPanel {
  readonly name = 'activity';
  readonly place = 'middle';
  readonly position = 0;

  content({ area, lead, form }: PanelRequest) {
    if (lead.archivedAt && !form.isFaulty) return Promise.resolve(null);
    return Promise.resolve(
      <Section title="Add a note">
        <Form action={`${leadPath(area, lead.id)}/activities`} id="activity">
          <TextArea form={form} name="text" label="Text" rows={3} required />
          <SelectField form={form} name="kind" label="Kind" options={CHOICES} />
          <Button>Add</Button>
        </Form>
      </Section>,
    );
  }
}
