import { Injectable } from '@nestjs/common';
import { Configuration } from '../../../platform/config/configuration';
import { addressOf } from '../../../platform/config/public-address';
import { ButtonLink } from '../../../platform/pages/components/button';
import { Link } from '../../../platform/pages/components/link';
import { Secret } from '../../../platform/pages/components/secret';
import { Section } from '../../../platform/pages/components/section';
import { isAdmin, type OverviewPart, type OverviewRequest, settingsPath } from '../../shell';
import { WorkspaceApiKeys } from '../application/workspace-api-keys';

/** The steps to a first API call, on the first page of a workspace that has had none. */
@Injectable()
export class FirstCall implements OverviewPart {
  readonly position = 90;

  constructor(
    private readonly keys: WorkspaceApiKeys,
    private readonly configuration: Configuration,
  ) {}

  async content({ area }: OverviewRequest) {
    if (await this.keys.hasUsed(area.workspace.id)) return null;
    return (
      <Section
        title="Make your first call"
        intro="Start in the sandbox: data created with a test key is visible in test mode only."
      >
        <ol class="steps">
          <li>
            {isAdmin(area) ? (
              <>
                <p>Create a test key and copy it.</p>
                <ButtonLink kind="secondary" to={settingsPath(area, 'test/api-keys/new')}>
                  Create a test key
                </ButtonLink>
              </>
            ) : (
              <p>Ask an owner or admin of this workspace for a test key.</p>
            )}
          </li>
          <li>
            <p>
              Run this in a terminal, with your key instead of <code>gala_test_…</code>.
            </p>
            <Secret
              name="first-call"
              label="Create a lead"
              value={firstCall(addressOf(this.configuration.publicUrl))}
            />
          </li>
          <li>
            <p>
              Explore the <Link to="/docs">API reference</Link>. When everything works, switch to a live key.
            </p>
          </li>
        </ol>
      </Section>
    );
  }
}

function firstCall(baseUrl: string): string {
  return `curl ${baseUrl}/v1/leads \\
  -H "Authorization: Bearer gala_test_…" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "Ana Pérez", "email": "ana@example.com", "guests": 120}'`;
}
