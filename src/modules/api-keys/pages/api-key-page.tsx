import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { CheckboxGroup } from '../../../platform/pages/components/checkbox-group';
import { DataTable } from '../../../platform/pages/components/data-table';
import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Form } from '../../../platform/pages/components/form';
import { Link, type Path } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Secret } from '../../../platform/pages/components/secret';
import { Actions, Section } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { Time } from '../../../platform/pages/components/time';
import { FormInput } from '../../../platform/pages/form-input';
import type { ApiKeyInFamily, ApiKeyLineage } from '../application/workspace-api-keys';
import { hasEnded, KeyState, KeyText } from './api-key-state';
import { type Area, SettingsPage, settingsPath } from '../../shell';
import { GRACE_PERIODS } from './create-api-key-page';
import { makerOf, type Makers } from './key-makers';

interface NewKeyPageProps {
  area: Area;
  token: string;
  /** After a rotation: how long the key before goes on working. */
  graceSeconds?: number;
}

/** The one time that a key is shown. */
export function NewKeyPage({ area, token, graceSeconds }: NewKeyPageProps) {
  const grace = GRACE_PERIODS.find(({ value }) => value === String(graceSeconds))?.label.toLowerCase();
  return (
    <SettingsPage area={area} place=":mode/api-keys" title="Copy the key now">
      <Notice kind="warning" title="It is shown this once">
        Store it where only the program that uses it can read it. {grace && `The key before ends ${grace}.`}
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
  form: FormInput;
  now: Date;
}

export function ApiKeyPage({ area, lineage, makers, form, now }: ApiKeyPageProps) {
  const { key: apiKey, maker, descendants } = lineage;
  const { timeZone } = area.workspace;
  return (
    <SettingsPage
      area={area}
      place=":mode/api-keys"
      title={apiKey.name}
      actions={<KeyState apiKey={apiKey} now={now} />}
    >
      <Section title="About this key">
        <DescriptionList
          items={[
            { term: 'Key', details: <KeyText {...apiKey} /> },
            { term: 'Id', details: <code>{apiKey.id}</code> },
            { term: 'May do', details: apiKey.scopes.join(', ') || 'Only what needs no scope' },
            {
              term: 'Made by',
              details: maker ? (
                <>
                  The key <Link to={keyPath(area, maker)}>{maker.name}</Link>
                </>
              ) : (
                makerOf(apiKey, makers)
              ),
            },
            { term: 'Made', details: <Time at={apiKey.createdAt} zone={timeZone} /> },
            { term: 'Last used', details: <Time at={apiKey.lastUsedAt} zone={timeZone} /> },
            { term: 'Ends', details: <Time at={apiKey.expiresAt} zone={timeZone} /> },
            ...(apiKey.revokedAt
              ? [{ term: 'Revoked', details: <Time at={apiKey.revokedAt} zone={timeZone} /> }]
              : []),
          ]}
        />
      </Section>
      {descendants.length > 0 && (
        <Section title="Keys that descend from it" intro="Made by it, by one it made, or replaced by it.">
          <DataTable
            caption="Keys that descend from it"
            hideCaption
            rows={descendants}
            columns={[
              {
                title: 'Name',
                isHeader: true,
                cell: (key) => <Link to={keyPath(area, key)}>{key.name}</Link>,
              },
              { title: 'Key', cell: KeyText },
              { title: 'Made by', cell: (key) => makerOf(key, makers) },
            ]}
          />
        </Section>
      )}
      {hasEnded(apiKey, now) ? (
        <p>
          <Link to={settingsPath(area, `${area.mode}/api-keys`)}>Back to the keys</Link>
        </p>
      ) : (
        <>
          <Section
            title="Rotate"
            intro="Makes a new key with the same name and scopes. The old one goes on working for a while, so that nothing stops while you change it over."
          >
            <Form action={`${keyPath(area, apiKey)}/rotate`}>
              <ProblemSummary form={form} labels={{ grace: 'The old key ends' }} />
              <SelectField form={form} name="grace" label="The old key ends" options={GRACE_PERIODS} />
              <Button kind="secondary">Rotate the key</Button>
            </Form>
          </Section>
          <Section title="Revoke" intro="Whatever uses this key stops working at once." danger>
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
        Every request with <KeyText {...apiKey} /> is refused from the moment you confirm. This can’t be
        undone.
      </p>
      <Form action={`${keyPath(area, apiKey)}/revoke`}>
        {count > 0 && (
          <CheckboxGroup
            form={new FormInput({ descendants: 'yes' })}
            name="descendants"
            label="Keys that descend from it"
            items={[
              {
                value: 'yes',
                label: count === 1 ? 'Revoke the key it made, too' : `Revoke the ${count} keys it made, too`,
                hint: descendants.map(({ name, last4 }) => `${name} (…${last4})`).join(', '),
              },
            ]}
          />
        )}
        <Actions>
          <Button kind="danger">Revoke</Button>
          <ButtonLink to={keyPath(area, apiKey)} kind="secondary">
            Keep it
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}

function keyPath(area: Area, { id }: Pick<ApiKeyInFamily, 'id'>): Path {
  return settingsPath(area, `${area.mode}/api-keys/${id}`);
}
