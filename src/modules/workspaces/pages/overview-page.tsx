import { ButtonLink } from '../../../platform/pages/components/button';
import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Link } from '../../../platform/pages/components/link';
import { Secret } from '../../../platform/pages/components/secret';
import { Section } from '../../../platform/pages/components/section';
import { type Area, isAdmin, SettingsPage, settingsPath } from '../../shell';
import { ROLE_NAMES } from './role-names';

/** The first page after signing in: how to make the first call. */
export function OverviewPage({ area, baseUrl }: { area: Area; baseUrl: string }) {
  const { workspace, role } = area;
  return (
    <SettingsPage area={area} place="" title={workspace.name}>
      <Section
        title="Make your first call"
        intro="In the sandbox, where nothing is real: data made with a test key is seen with test keys alone."
      >
        <ol class="steps">
          <li>
            {isAdmin(area) ? (
              <>
                <p>Make a test key, and copy it.</p>
                <ButtonLink to={settingsPath(area, 'test/api-keys/new')}>Create a test key</ButtonLink>
              </>
            ) : (
              <p>Ask an owner or admin of this workspace for a test key.</p>
            )}
          </li>
          <li>
            <p>
              Put it in the place of <code>gala_test_…</code>, and run this in a terminal.
            </p>
            <Secret name="first-call" label="Create a lead" value={firstCall(baseUrl)} />
          </li>
          <li>
            <p>
              See what else there is in the <Link to="/docs">API reference</Link>. When all works, use a live
              key.
            </p>
          </li>
        </ol>
      </Section>
      <Section title="This workspace">
        <DescriptionList
          items={[
            { term: 'Id', details: <code>{workspace.id}</code> },
            { term: 'Time zone', details: workspace.timeZone },
            { term: 'Currency', details: workspace.currency },
            { term: 'You are', details: ROLE_NAMES[role] },
          ]}
        />
      </Section>
    </SettingsPage>
  );
}

function firstCall(baseUrl: string): string {
  return `curl ${baseUrl}/v1/leads \\
  -H "Authorization: Bearer gala_test_…" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "Ana Pérez", "email": "ana@example.com", "guests": 120}'`;
}
