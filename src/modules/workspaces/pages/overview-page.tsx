import type { ComponentChildren } from 'preact';
import { ButtonLink } from '../../../platform/pages/components/button';
import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Link } from '../../../platform/pages/components/link';
import { Secret } from '../../../platform/pages/components/secret';
import { Section } from '../../../platform/pages/components/section';
import { type Area, isAdmin, SettingsPage, settingsPath } from '../../shell';
import { ROLE_NAMES } from './role-names';

interface OverviewPageProps {
  area: Area;
  baseUrl: string;
  /** What modules show. */
  parts: ComponentChildren;
}

/** The first page after sign-in: what is new, and the steps to a first API call. */
export function OverviewPage({ area, baseUrl, parts }: OverviewPageProps) {
  const { workspace, role } = area;
  return (
    <SettingsPage area={area} place="" title={workspace.name}>
      <div class="overview">{parts}</div>
      <Section
        title="Make your first call"
        intro="Start in the sandbox: data created with a test key is visible in test mode only."
      >
        <ol class="steps">
          <li>
            {isAdmin(area) ? (
              <>
                <p>Create a test key and copy it.</p>
                <ButtonLink to={settingsPath(area, 'test/api-keys/new')}>Create a test key</ButtonLink>
              </>
            ) : (
              <p>Ask an owner or admin of this workspace for a test key.</p>
            )}
          </li>
          <li>
            <p>
              Run this in a terminal, with your key instead of <code>gala_test_…</code>.
            </p>
            <Secret name="first-call" label="Create a lead" value={firstCall(baseUrl)} />
          </li>
          <li>
            <p>
              Explore the <Link to="/docs">API reference</Link>. When everything works, switch to a live key.
            </p>
          </li>
        </ol>
      </Section>
      <Section title="This workspace">
        <DescriptionList
          items={[
            { term: 'ID', details: <code>{workspace.id}</code> },
            { term: 'Time zone', details: workspace.timeZone },
            { term: 'Currency', details: workspace.currency },
            { term: 'Your role', details: ROLE_NAMES[role] },
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
