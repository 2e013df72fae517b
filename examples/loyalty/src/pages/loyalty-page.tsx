import {
  type Area,
  Button,
  ButtonLink,
  DataTable,
  EmptyState,
  Form,
  type FormInput,
  isAdmin,
  Pagination,
  ProblemSummary,
  Section,
  SettingsPage,
  settingsPath,
  TextField,
  Time,
} from 'gala';
import type { LoyaltyAccountView } from '../domain/loyalty-account';

const LABELS = { email: 'Client’s email address', points: 'Points' };

interface LoyaltyPageProps {
  area: Area;
  accounts: readonly LoyaltyAccountView[];
  nextCursor: string | null;
  form: FormInput;
  redeemed: boolean;
}

export function LoyaltyPage({ area, accounts, nextCursor, form, redeemed }: LoyaltyPageProps) {
  const path = settingsPath(area, `${area.mode}/loyalty`);
  const tills = isAdmin(area) && (
    <ButtonLink to={settingsPath(area, `${area.mode}/loyalty-tills`)} kind="secondary">
      Tills
    </ButtonLink>
  );
  return (
    <SettingsPage
      area={area}
      place=":mode/loyalty"
      title="Loyalty"
      intro="Clients earn points with every event that is confirmed."
      done={redeemed ? 'The points were redeemed.' : undefined}
      actions={tills}
    >
      {accounts.length === 0 ? (
        <EmptyState title="No clients with points yet">
          Clients earn points with their first confirmed event.
        </EmptyState>
      ) : (
        <DataTable
          caption="Clients with points"
          rows={accounts}
          columns={[
            { title: 'Client', isHeader: true, cell: ({ email }) => email },
            { title: 'Points', numeric: true, cell: ({ points }) => points },
            {
              title: 'Updated',
              cell: ({ updatedAt }) => <Time at={updatedAt} zone={area.workspace.timeZone} />,
            },
          ]}
        />
      )}
      <Pagination older={nextCursor ? `${path}?cursor=${nextCursor}` : undefined} />
      <Section title="Redeem points">
        <Form action={path}>
          <ProblemSummary form={form} labels={LABELS} />
          <TextField form={form} name="email" label={LABELS.email} type="email" required />
          <TextField form={form} name="points" label={LABELS.points} inputMode="numeric" short required />
          <Button>Redeem</Button>
        </Form>
      </Section>
    </SettingsPage>
  );
}
