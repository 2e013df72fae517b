import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Form } from '../../../platform/pages/components/form';
import { EmptyState } from '../../../platform/pages/components/section';
import { TextField } from '../../../platform/pages/components/text-field';
import { FormInput } from '../../../platform/pages/form-input';
import type { LeadView } from '../../leads';
import { type Area, SettingsPage } from '../../shell';
import { newProposalPath } from './proposal-paths';

interface ChooseLeadPageProps {
  area: Area;
  q: string;
  leads: readonly LeadView[];
}

/** The first step of a new proposal that doesn't begin on a lead's page. */
export function ChooseLeadPage({ area, q, leads }: ChooseLeadPageProps) {
  return (
    <SettingsPage
      area={area}
      place=":mode/proposals"
      title="New proposal"
      intro="Choose the lead that the proposal is for."
    >
      <Form action={newProposalPath(area)} method="get" layout="inline" label="Search leads">
        <TextField form={new FormInput({ q })} name="q" type="search" label="Name, email or phone" />
        <Button kind="secondary">Search</Button>
      </Form>
      {leads.length === 0 ? (
        <EmptyState title={q ? 'No leads found' : 'No leads yet'}>
          {q ? 'Try fewer words.' : 'A proposal is an offer to a lead.'}
        </EmptyState>
      ) : (
        <DataTable<LeadView>
          caption={q ? 'Leads found' : 'Newest leads'}
          rows={leads}
          columns={[
            { title: 'Name', isHeader: true, cell: ({ name, email }) => <bdi>{name ?? email}</bdi> },
            { title: 'Email', cell: ({ email }) => email },
            { title: 'Guests', numeric: true, cell: ({ guests }) => guests ?? 'Unknown' },
            {
              title: 'Actions',
              actions: true,
              cell: ({ id, name, email }) => (
                <ButtonLink kind="secondary" to={newProposalPath(area, id)} of={`for ${name ?? email}`}>
                  Choose
                </ButtonLink>
              ),
            },
          ]}
        />
      )}
    </SettingsPage>
  );
}
