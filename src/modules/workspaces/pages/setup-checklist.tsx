import { Link } from '../../../platform/pages/components/link';
import { Section } from '../../../platform/pages/components/section';
import type { Area, SetupStepState } from '../../shell';

interface SetupChecklistProps {
  area: Area;
  steps: readonly SetupStepState[];
}

/** The steps of setting up a workspace. Nothing once all are done. */
export function SetupChecklist({ area, steps }: SetupChecklistProps) {
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Section title="Set up this workspace" intro={`${done} of ${steps.length} steps are done.`}>
      <ul class="checklist">
        {steps.map((state) => (
          <Step area={area} {...state} />
        ))}
      </ul>
    </Section>
  );
}

function Step({ area, step, isDone }: SetupStepState & { area: Area }) {
  const path = isDone ? null : step.path(area);
  return (
    <li class={isDone ? 'done' : undefined}>
      <span aria-hidden="true" class="tick">
        {isDone ? '✓' : ''}
      </span>
      <div>
        {path ? <Link to={path}>{step.label}</Link> : step.label}
        <span class="visually-hidden">{isDone ? ': done' : ': to do'}</span>
        {!isDone && <p class="hint">{step.hint}</p>}
      </div>
    </li>
  );
}
