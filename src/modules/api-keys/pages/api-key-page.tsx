import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { CheckboxGroup } from '../../../platform/pages/components/checkbox-group';
import { DataTable } from '../../../platform/pages/components/data-table';
import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Form } from '../../../platform/pages/components/form';
import { Link, type Path } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { ScopeList } from '../../../platform/pages/components/scope-list';
import { Secret } from '../../../platform/pages/components/secret';
import { Actions, Section } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { Time } from '../../../platform/pages/components/time';
import { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage, settingsPath } from '../../shell';
import type { ApiKeyInFamily, ApiKeyLineage } from '../application/workspace-api-keys';
import { hasEnded, KeyState, KeyText } from './api-key-state';
import { GRACE_PERIODS } from './create-api-key-page';
import { makerOf, type Makers } from './key-makers';

interface NewKeyPageProps {
  area: Area;
  token: string;
  /** After a rotation: how long the old key keeps working. */
  graceSeconds?: number;
}

/** The only page that shows the key itself. */
export function NewKeyPage({ area, token, graceSeconds }: NewKeyPageProps) {
  return (
    <SettingsPage area={area} place=":mode/api-keys" title="Copy the key now">
      <Notice kind="warning" title="You won’t see it again">
        Store it where only your integration can read it.{' '}
        {graceSeconds !== undefined && oldKeyNote(graceSeconds)}
      </Notice>
      <Secret name="key" label={`Your new ${area.mode} key`} value={token} />
      <ButtonLink to={settingsPath(area, `${area.mode}/api-keys`)}>I have stored it</ButtonLink>
    </SettingsPage>
  );
}

interface ApiKeyPageProps {
  area: Area;
  lineage: ApiKeyLineage;
  makers: Makers;
  /** What each scope allows, by scope. */
  words: ReadonlyMap<string, string>;
  form: FormInput;
  now: Date;
}

export function ApiKeyPage({ area, lineage, makers, words, form, now }: ApiKeyPageProps) {
  const { key: apiKey, maker, descendants } = lineage;
  const { timeZone } = area.workspace;
  return (
    <SettingsPage
      area={area}
      place=":mode/api-keys"
      title={apiKey.name}
      actions={<KeyState apiKey={apiKey} now={now} />}
    >
      <Section title="Details">
        <DescriptionList
          items={[
            { term: 'Key', details: <KeyText {...apiKey} /> },
            { term: 'ID', details: <code>{apiKey.id}</code> },
            { term: 'Permissions', details: <ScopeList scopes={apiKey.scopes} words={words} /> },
            {
              term: 'Created by',
              details: maker ? (
                <>
                  API key <Link to={keyPath(area, maker)}>{maker.name}</Link>
                </>
              ) : (
                makerOf(apiKey, makers)
              ),
            },
            { term: 'Created', details: <Time at={apiKey.createdAt} zone={timeZone} /> },
            { term: 'Last used', details: <Time at={apiKey.lastUsedAt} zone={timeZone} /> },
            {
              term: 'Requests',
              details: (
                <Link to={settingsPath(area, `${area.mode}/request-log?caller=${apiKey.id}`)}>
                  In the request log
                </Link>
              ),
            },
            { term: 'Expires', details: <Time at={apiKey.expiresAt} zone={timeZone} /> },
            ...(apiKey.revokedAt
              ? [{ term: 'Revoked', details: <Time at={apiKey.revokedAt} zone={timeZone} /> }]
              : []),
          ]}
        />
      </Section>
      {descendants.length > 0 && (
        <Section
          title="Descendant keys"
          intro="Keys created with this key or by rotating it, and their descendants."
        >
          <DataTable
            caption="Descendant keys"
            hideCaption
            rows={descendants}
            columns={[
              {
                title: 'Name',
                isHeader: true,
                cell: (key) => <Link to={keyPath(area, key)}>{key.name}</Link>,
              },
              { title: 'Key', cell: KeyText },
              { title: 'Created by', cell: (key) => makerOf(key, makers) },
            ]}
          />
        </Section>
      )}
      {hasEnded(apiKey, now) ? (
        <p>
          <Link to={settingsPath(area, `${area.mode}/api-keys`)}>Back to API keys</Link>
        </p>
      ) : (
        <>
          <Section
            title="Rotate"
            intro="Creates a new key with the same name and permissions. The old key keeps working for a while, so you can switch without downtime."
          >
            <Form action={`${keyPath(area, apiKey)}/rotate`}>
              <ProblemSummary form={form} labels={{ grace: 'Old key stops working' }} />
              <SelectField form={form} name="grace" label="Old key stops working" options={GRACE_PERIODS} />
              <Button kind="secondary">Rotate the key</Button>
            </Form>
          </Section>
          <Section title="Revoke" intro="Everything that uses this key stops working immediately." danger>
            <ButtonLink to={`${keyPath(area, apiKey)}/revoke`} kind="danger">
              Revoke the key…
            </ButtonLink>
          </Section>
        </>
      )}
    </SettingsPage>
  );
}

export function RevokePage({ area, lineage }: Pick<ApiKeyPageProps, 'area' | 'lineage'>) {
  const { key: apiKey, descendants } = lineage;
  const count = descendants.length;
  return (
    <SettingsPage area={area} place=":mode/api-keys" title={`Revoke ${apiKey.name}?`}>
      <p>
        Requests with <KeyText {...apiKey} /> are refused as soon as you confirm. This can’t be undone.
      </p>
      <Form action={`${keyPath(area, apiKey)}/revoke`}>
        {count > 0 && (
          <CheckboxGroup
            form={new FormInput({ descendants: 'yes' })}
            name="descendants"
            label="Descendant keys"
            items={[
              {
                value: 'yes',
                label:
                  count === 1 ? 'Also revoke its descendant key' : `Also revoke its ${count} descendant keys`,
                hint: descendants.map(({ name, last4 }) => `${name} (…${last4})`).join(', '),
              },
            ]}
          />
        )}
        <Actions>
          <Button kind="danger">Revoke</Button>
          <ButtonLink to={keyPath(area, apiKey)} kind="secondary">
            Cancel
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}

function oldKeyNote(graceSeconds: number): string {
  const grace = GRACE_PERIODS.find(({ value }) => value === String(graceSeconds));
  return grace?.lasts ? `The old key keeps working for ${grace.lasts}.` : 'The old key no longer works.';
}

function keyPath(area: Area, { id }: Pick<ApiKeyInFamily, 'id'>): Path {
  return settingsPath(area, `${area.mode}/api-keys/${id}`);
}
