import { Badge } from '../../../platform/pages/components/badge';
import { Button } from '../../../platform/pages/components/button';
import { CheckboxGroup } from '../../../platform/pages/components/checkbox-group';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Form } from '../../../platform/pages/components/form';
import type { Path } from '../../../platform/pages/components/link';
import { Section } from '../../../platform/pages/components/section';
import type { FormInput } from '../../../platform/pages/form-input';
import { CONSENT_LANGUAGES } from '../domain/consent-words';
import { MAGIC_NUMBERS, SAMPLE_TEMPLATES } from '../domain/magic-numbers';
import type { Template } from '../domain/template';
import { type Area, settingsPath } from '../../shell';

const OTHER_LANGUAGES = CONSENT_LANGUAGES.filter(({ code }) => code !== 'en');

export function Templates({ area, templates }: { area: Area; templates: readonly Template[] }) {
  return (
    <Section title="Templates" intro="Texts that WhatsApp has approved, and that may be sent at any time.">
      {templates.length === 0 ? (
        <p class="quiet">WhatsApp has none for this account. They are made in its WhatsApp Manager.</p>
      ) : (
        <TemplateTable templates={templates} />
      )}
      <Form
        action={settingsPath(area, `${area.mode}/channels/templates`)}
        layout="inline"
        label="Look for new templates"
      >
        <Button kind="secondary">Look for new ones</Button>
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
          title: 'State',
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

/** The same settings for live and test data, each for itself. */
export function Conversations({ area, form, action }: { area: Area; form: FormInput; action: Path }) {
  return (
    <Section
      title="Conversations"
      intro="Whoever answers STOP gets no more messages, until they answer START."
    >
      <Form action={action}>
        <CheckboxGroup
          form={form}
          name="languages"
          label="Words that count beside the English ones"
          items={OTHER_LANGUAGES.map(({ code, name, stop, start }) => ({
            value: code,
            label: name,
            hint: `Such as “${stop}” and “${start}”`,
          }))}
        />
        <CheckboxGroup
          form={form}
          name="createsLeads"
          label="When somebody unknown writes"
          items={[
            {
              value: 'yes',
              label: 'Make a lead of them',
              hint: `With the source “whatsapp”, among ${area.mode} leads.`,
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
        intro="Messages of test keys reach nobody. What becomes of them depends on the lead’s phone alone."
      >
        <DataTable
          caption="Numbers"
          hideCaption
          rows={Object.entries(MAGIC_NUMBERS)}
          columns={[
            { title: 'Phone', isHeader: true, cell: ([phone]) => phone },
            { title: 'What becomes of messages', cell: ([, { what }]) => what },
          ]}
        />
      </Section>
      <Section title="Templates" intro="Those that test keys can use.">
        <TemplateTable templates={SAMPLE_TEMPLATES} />
      </Section>
    </>
  );
}
