import { Button } from '../../../platform/pages/components/button';
import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Form } from '../../../platform/pages/components/form';
import { Section } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import { EndpointFields } from './webhook-form';
import type { WebhookPageProps } from './webhook-page-props';
import { endpointPath } from './webhooks-page';

export function SettingsTab({ area, endpoint, changes, words }: WebhookPageProps) {
  const { timeZone } = area.workspace;
  return (
    <>
      <Section title="Edit">
        <Form action={endpointPath(area, endpoint)} id="change">
          <EndpointFields form={changes} words={words} />
          <Button>Save</Button>
        </Form>
      </Section>
      <Section title="Details">
        <DescriptionList
          items={[
            { term: 'ID', details: <code>{endpoint.id}</code> },
            { term: 'Created', details: <Time at={endpoint.createdAt} zone={timeZone} /> },
            ...(endpoint.expiresAt
              ? [{ term: 'Expires', details: <Time at={endpoint.expiresAt} zone={timeZone} /> }]
              : []),
          ]}
        />
      </Section>
    </>
  );
}
