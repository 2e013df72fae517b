import { ButtonLink } from '../../../platform/pages/components/button';
import { Actions, EmptyState, Section } from '../../../platform/pages/components/section';
import type { StageView } from '../../leads';
import { type Area, SettingsPage, settingsPath } from '../../shell';
import type { StageTotal } from '../application/proposal-queries';
import { formatMoney } from './money-format';

interface PipelinePageProps {
  area: Area;
  stages: readonly StageView[];
  totals: readonly StageTotal[];
}

/** Leads by stage, with the value of their proposals. */
export function PipelinePage({ area, stages, totals: all }: PipelinePageProps) {
  const byStage = new Map(all.map((total) => [total.stage, total]));
  const most = Math.max(...all.map(({ leads }) => leads));
  const shown = stages.filter(
    ({ key, isHidden, archivedAt }) => byStage.has(key) || !(isHidden || archivedAt),
  );
  return (
    <SettingsPage
      area={area}
      place=":mode/pipeline"
      title="Pipeline"
      intro="Leads by stage, with the value of their sent and accepted proposals."
    >
      {all.length === 0 ? (
        <EmptyState title="No leads yet">
          Leads appear here as soon as your form or an app sends one.
        </EmptyState>
      ) : (
        <Section title="Leads by stage">
          <ul class="chart">
            {shown.map(({ key, name }) => {
              const { leads, totals } = byStage.get(key) ?? { leads: 0, totals: [] };
              return (
                <li>
                  <span>
                    {name} <strong>{leads}</strong>
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
          <Actions>
            <ButtonLink kind="secondary" to={settingsPath(area, `${area.mode}/leads/export`)}>
              Export leads as CSV
            </ButtonLink>
          </Actions>
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
