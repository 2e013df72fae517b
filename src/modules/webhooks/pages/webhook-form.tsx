import { CAUSE_TYPES, type CauseType } from '../../../kernel/cause';
import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { CheckboxGroup } from '../../../platform/pages/components/checkbox-group';
import { CheckboxTree } from '../../../platform/pages/components/checkbox-tree';
import { Form } from '../../../platform/pages/components/form';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Actions } from '../../../platform/pages/components/section';
import { TextField } from '../../../platform/pages/components/text-field';
import * as fieldRules from '../../../platform/http/field-rules';
import type { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage, settingsPath } from '../../shell';
import type { EndpointDetails, WebhookSettings } from '../domain/webhook-endpoint';
import { eventBranches, EVERYTHING, type EventWords, withoutCovered } from './event-choices';

const LABELS = {
  url: 'Endpoint URL',
  description: 'Description',
  events: 'Events to send',
  skipCauses: 'Skip events caused by',
};

const CAUSES: Record<CauseType, string> = {
  api_key: 'API keys',
  oauth: 'Apps',
  user: 'Members, in these settings',
  client: 'Clients, on a proposal’s page or in chat',
  import: 'Imports',
  system: 'Gala itself',
};

/** The causes that an endpoint skips, in words. */
export function skippedCauses(causes: readonly CauseType[]): string {
  return causes.map((type) => CAUSES[type]).join('; ');
}

export function readSettings(form: FormInput): WebhookSettings {
  return {
    url: form.text('url', fieldRules.text(2000)).trim(),
    description: form.optional('description', fieldRules.text(500)),
    events: withoutCovered(form.list('events')),
    skipCauses: CAUSE_TYPES.filter((type) => form.list('skipCauses').includes(type)),
  };
}

export function settingsOf({ url, description, events, skipCauses }: EndpointDetails) {
  return { url, description: description ?? '', events: [...events], skipCauses: [...skipCauses] };
}

interface FieldsProps {
  form: FormInput;
  words: EventWords;
  autoFocus?: boolean;
}

export function EndpointFields({ form, words, autoFocus }: FieldsProps) {
  return (
    <>
      <ProblemSummary form={form} labels={LABELS} />
      <TextField
        form={form}
        name="url"
        label={LABELS.url}
        hint="Receives the events, such as https://example.com/hooks/gala."
        inputMode="url"
        required
        autoFocus={autoFocus}
      />
      <TextField form={form} name="description" label={LABELS.description} hint="What the endpoint is for." />
      <CheckboxTree
        form={form}
        name="events"
        label={LABELS.events}
        hint="Choose only what your system needs."
        all={EVERYTHING}
        branches={eventBranches(words, form.list('events'))}
      />
      <CheckboxGroup
        form={form}
        name="skipCauses"
        label={LABELS.skipCauses}
        hint="For example imports, so that a large import doesn’t flood your system."
        items={CAUSE_TYPES.map((value) => ({ value, label: CAUSES[value] }))}
      />
    </>
  );
}

export function CreateWebhookPage({ area, form, words }: FieldsProps & { area: Area }) {
  const path = settingsPath(area, `${area.mode}/webhooks`);
  return (
    <SettingsPage
      area={area}
      place=":mode/webhooks"
      title={`Add a ${area.mode} endpoint`}
      intro={area.mode === 'test' ? 'It receives sandbox events only.' : 'It receives live events.'}
    >
      <Form action={path}>
        <EndpointFields form={form} words={words} autoFocus />
        <Actions>
          <Button>Add the endpoint</Button>
          <ButtonLink to={path} kind="secondary">
            Back to webhooks
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}
