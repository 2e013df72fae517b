import { DataTable } from '../../../platform/pages/components/data-table';
import { Link } from '../../../platform/pages/components/link';
import { PageDocument } from '../../../platform/pages/components/page-document';
import { EmptyState } from '../../../platform/pages/components/section';
import { AccountHeader } from '../../accounts';
import { settingsPath } from '../../shell';
import type { Membership } from '../application/members';
import { ROLE_NAMES } from './role-names';

interface WorkspacesPageProps {
  email: string;
  memberships: readonly Membership[];
}

export function WorkspacesPage({ email, memberships }: WorkspacesPageProps) {
  return (
    <PageDocument title="Your workspaces" header={<AccountHeader email={email} />}>
      {memberships.length === 0 ? (
        <EmptyState title="You don’t belong to a workspace yet">
          Ask an owner or admin of a workspace to invite {email}. Server administrators create workspaces with{' '}
          <code>npx gala workspace create</code>.
        </EmptyState>
      ) : (
        <DataTable
          caption="Workspaces you belong to"
          hideCaption
          rows={memberships}
          columns={[
            {
              title: 'Workspace',
              isHeader: true,
              cell: (membership) => <Link to={settingsPath(membership)}>{membership.workspace.name}</Link>,
            },
            { title: 'Your role', cell: ({ role }) => ROLE_NAMES[role] },
          ]}
        />
      )}
    </PageDocument>
  );
}
