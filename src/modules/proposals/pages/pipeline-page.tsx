import { EmptyState, Section } from '../../../platform/pages/components/section';
import { STAGES } from '../../leads';
import { type Area, ModeTabs, SettingsPage } from '../../shell';
import type { StageTotal } from '../application/proposal-queries';
import { formatMoney } from './money-format';

interface PipelinePageProps {
  area: Area;
  stages: readonly StageTotal[];
}

/** Leads by stage, with the value of their proposals. */
export function PipelinePage({ area, stages }: PipelinePageProps) {
  const byStage = new Map(stages.map((total) => [total.stage, total]));
  const most = Math.max(...stages.map(({ leads }) => leads));
  return (
    <SettingsPage
      area={area}
      place=":mode/pipeline"
      title="Pipeline"
      intro="Leads by stage, with the value of their sent and accepted proposals."
    >
      <ModeTabs area={area} page="pipeline" />
      {stages.length === 0 ? (
        <EmptyState title="No leads yet">
          Leads appear here as soon as your form or an app sends one.
        </EmptyState>
      ) : (
        <Section title="Leads by stage">
          <ul class="chart">
            {STAGES.map((stage) => {
              const { leads, totals } = byStage.get(stage) ?? { leads: 0, totals: [] };
              return (
                <li>
                  <span>
                    {nameOf(stage)} <strong>{leads}</strong>
                  </span>
                  <Bar share={leads / most} />
                  {totals.length > 0 && (
                    <span class="quiet">
                      {totals
                        .map(({ currency, total }) => formatMoney(total, currency, area.workspace.locale))
                        .join(', ')}
                    </span>
                  )}
                </li>
              );
            })}
          </ul>
        </Section>
      )}
    </SettingsPage>
  );
}

/** Hidden from screen readers: the number beside it says the same. */
function Bar({ share }: { share: number }) {
  return (
    <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect x="0" y="0" width={share * 100} height="1" />
    </svg>
  );
}

function nameOf(stage: string): string {
  const words = stage.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
