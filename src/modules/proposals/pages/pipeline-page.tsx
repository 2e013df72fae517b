import { EmptyState, Section } from '../../../platform/pages/components/section';
import { STAGES } from '../../leads';
import type { StageTotal } from '../application/proposal-queries';
import { formatMoney } from './money-format';
import { type Area, ModeTabs, SettingsPage } from '../../shell';

interface PipelinePageProps {
  area: Area;
  stages: readonly StageTotal[];
}

/** How many leads are where, and what the offers to them come to. */
export function PipelinePage({ area, stages }: PipelinePageProps) {
  const byStage = new Map(stages.map((total) => [total.stage, total]));
  const most = Math.max(...stages.map(({ leads }) => leads));
  return (
    <SettingsPage
      area={area}
      place=":mode/pipeline"
      title="Pipeline"
      intro="Leads by stage, and what the proposals that were sent to them or accepted come to."
    >
      <ModeTabs area={area} page="pipeline" />
      {stages.length === 0 ? (
        <EmptyState title="No leads yet">
          They come in by the API: see Overview for the first call.
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

/** The number stands beside it: to those who don't see it, it says nothing more. */
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
