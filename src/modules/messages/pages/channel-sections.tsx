import { Badge } from '../../../platform/pages/components/badge';
import { Button } from '../../../platform/pages/components/button';
import { CheckboxGroup } from '../../../platform/pages/components/checkbox-group';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Form } from '../../../platform/pages/components/form';
import type { Path } from '../../../platform/pages/components/link';
import { Section } from '../../../platform/pages/components/section';
import type { FormInput } from '../../../platform/pages/form-input';
import { type Area, settingsPath } from '../../shell';
import { CONSENT_LANGUAGES } from '../domain/consent-words';
import { MAGIC_NUMBERS, SAMPLE_TEMPLATES } from '../domain/magic-numbers';
import type { Template } from '../domain/template';

const OTHER_LANGUAGES = CONSENT_LANGUAGES.filter(({ code }) => code !== 'en');

export function Templates({ area, templates }: { area: Area; templates: readonly Template[] }) {
  return (
    <Section title="Templates" intro="Messages that WhatsApp has approved. They can be sent at any time.">
      {templates.length === 0 ? (
        <p class="quiet">This account has no templates. Create them in WhatsApp Manager.</p>
      ) : (
        <TemplateTable templates={templates} />
      )}
      <Form
        action={settingsPath(area, `${area.mode}/channels/templates`)}
        layout="inline"
        label="Refresh templates"
      >
        <Button kind="secondary">Refresh</Button>
      </Form>
    </Section>
  );
}

function TemplateTable({ templates }: { templates: readonly Template[] }) {
  return (
    <DataTable
      caption="Templates"
      hideCaption
      rows={templates}
      columns={[
        { title: 'Name', isHeader: true, cell: ({ name }) => name },
        { title: 'Language', cell: ({ language }) => language },
        { title: 'Text', cell: ({ body }) => body },
        {
          title: 'Status',
          cell: ({ status, obstacle }) =>
            obstacle ? (
              `It ${obstacle}.`
            ) : (
              <Badge kind={status === 'APPROVED' ? 'success' : 'warning'}>
                {status === 'APPROVED' ? 'Can be sent' : status.toLowerCase()}
              </Badge>
            ),
        },
      ]}
    />
  );
}

/** Live and test mode each have these settings of their own. */
export function Conversations({ area, form, action }: { area: Area; form: FormInput; action: Path }) {
  return (
    <Section title="Conversations" intro="People who reply STOP get no more messages until they reply START.">
      <Form action={action}>
        <CheckboxGroup
          form={form}
          name="languages"
          label="Also recognise opt-out words in"
          items={OTHER_LANGUAGES.map(({ code, name, stop, start }) => ({
            value: code,
            label: name,
            hint: `Such as “${stop}” and “${start}”`,
          }))}
        />
        <CheckboxGroup
          form={form}
          name="createsLeads"
          label="Messages from unknown numbers"
          items={[
            {
              value: 'yes',
              label: 'Create a lead automatically',
              hint: `A ${area.mode} lead with the source “whatsapp”.`,
            },
          ]}
        />
        <Button>Save</Button>
      </Form>
    </Section>
  );
}

export function MagicNumbers() {
  return (
    <>
      <Section
        title="Simulator"
        intro="Test messages are never delivered. Use these phone numbers to simulate outcomes."
      >
        <DataTable
          caption="Phone numbers"
          hideCaption
          rows={Object.entries(MAGIC_NUMBERS)}
          columns={[
            { title: 'Phone', isHeader: true, cell: ([phone]) => phone },
            { title: 'Outcome', cell: ([, { what }]) => what },
          ]}
        />
      </Section>
      <Section title="Templates" intro="Available in test mode.">
        <TemplateTable templates={SAMPLE_TEMPLATES} />
      </Section>
    </>
  );
}
