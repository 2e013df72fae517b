import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Section } from '../../../platform/pages/components/section';
import { type Area, type OverviewContents, SettingsPage, type SetupStepState } from '../../shell';
import { ROLE_NAMES } from './role-names';
import { SetupChecklist } from './setup-checklist';

interface OverviewPageProps {
  area: Area;
  /** Empty for those who can't do them. */
  steps: readonly SetupStepState[];
  /** What modules show. */
  parts: OverviewContents;
}

/** The first page after sign-in: what is left to set up, what is new, and what is next. */
export function OverviewPage({ area, steps, parts }: OverviewPageProps) {
  const { workspace, role } = area;
  return (
    <SettingsPage area={area} place="" title={workspace.name}>
      {parts.notice}
      <SetupChecklist area={area} steps={steps} />
      <div class="overview figures">{parts.figure}</div>
      <div class="overview">{parts.list}</div>
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
