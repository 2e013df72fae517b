import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Notice } from '../../../platform/pages/components/notice';
import { PageDocument } from '../../../platform/pages/components/page-document';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Actions, Section } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import type { FormInput } from '../../../platform/pages/form-input';
import { AccountHeader } from '../../accounts';
import type { Membership } from '../../workspaces';
import { type AuthorizationRequest, PARAMETERS, type Parameters } from '../domain/authorization-request';

const LABELS = { workspace: 'Workspace', mode: 'Data' };
const MODES = [
  { value: 'live', label: 'Live: real data' },
  { value: 'test', label: 'Test: the sandbox' },
];

interface ConsentPageProps {
  email: string;
  authorization: AuthorizationRequest;
  /** As they came, for the form to bring along. */
  parameters: Parameters;
  scopes: readonly { scope: string; words: string }[];
  /** Those that the person may install apps in. */
  workspaces: readonly Membership['workspace'][];
  form: FormInput;
}

export function ConsentPage(props: ConsentPageProps) {
  const { email, authorization, parameters, scopes, workspaces, form } = props;
  const { name } = authorization.app;
  return (
    <PageDocument
      title={`Let ${name} in?`}
      intro={`${name} is made by another company. Once you let it in, it may use the data that you choose here, until you remove it in the settings.`}
      header={<AccountHeader email={email} />}
      narrow
    >
      <Section title="It wants to">
        <ul>
          {scopes.map(({ scope, words }) => (
            <li>
              {words} <span class="quiet">({scope})</span>
            </li>
          ))}
        </ul>
      </Section>
      <Form action="/oauth/authorize">
        <ProblemSummary form={form} labels={LABELS} />
        {PARAMETERS.map((parameter) => {
          const value = parameters[parameter];
          return typeof value === 'string' && <input type="hidden" name={parameter} value={value} />;
        })}
        {workspaces.length === 0 ? (
          <Notice kind="warning" title="You can’t install apps yet">
            Only owners and admins of a workspace install apps in it. Ask one of yours.
          </Notice>
        ) : (
          <>
            <SelectField
              form={form}
              name="workspace"
              label={LABELS.workspace}
              options={workspaces.map(({ id, name: label }) => ({ value: id, label }))}
            />
            <SelectField form={form} name="mode" label={LABELS.mode} options={MODES} />
          </>
        )}
        <Actions>
          {workspaces.length > 0 && (
            <Button name="decision" value="allow">
              Let it in
            </Button>
          )}
          <Button kind="secondary" name="decision" value="deny">
            Don’t
          </Button>
        </Actions>
        <p class="quiet">Either way you go on to {destination(authorization.redirectUri)}.</p>
      </Form>
    </PageDocument>
  );
}

/** The host of an address, or its scheme where it has no host, for people. */
export function destination(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  return host || protocol;
}
