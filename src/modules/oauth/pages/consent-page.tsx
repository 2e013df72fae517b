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
  /** Unchanged, for hidden fields of the form. */
  parameters: Parameters;
  scopes: readonly { scope: string; words: string }[];
  /** The workspaces in which the visitor may install apps. */
  workspaces: readonly Membership['workspace'][];
  form: FormInput;
}

export function ConsentPage(props: ConsentPageProps) {
  const { email, authorization, parameters, scopes, workspaces, form } = props;
  const { name } = authorization.app;
  return (
    <PageDocument
      title={`Allow ${name} to access your workspace?`}
      intro={`${name} is made by another company. If you allow it, it can use the data you choose here until you remove it in the settings.`}
      header={<AccountHeader email={email} />}
      narrow
    >
      <Section title="It will be able to">
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
            Only owners and admins can install apps in a workspace. Ask one of yours.
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
              Allow
            </Button>
          )}
          <Button kind="secondary" name="decision" value="deny">
            Cancel
          </Button>
        </Actions>
        <p class="quiet">Either way, you continue to {destination(authorization.redirectUri)}.</p>
      </Form>
    </PageDocument>
  );
}

/** The host of an address, or its scheme if it has no host. */
export function destination(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  return host || protocol;
}
