import { CheckboxGroup } from '../../../platform/pages/components/checkbox-group';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import type { SpaceView } from '../domain/space';
import { shortened } from './entry-texts';
import { PLAN_LABELS } from './plan-form';

interface PlanFieldsProps {
  form: FormInput;
  /** Whose local time the fields mean. */
  zone: string;
  /** Those that can be chosen. */
  spaces: readonly SpaceView[];
  needsSpace?: boolean;
}

/** Title, times, spaces, guests and lead of what is planned: `readTimes` and its like read them. */
export function PlanFields({ form, zone, spaces, needsSpace }: PlanFieldsProps) {
  const field = (name: keyof typeof PLAN_LABELS) => ({ form, name, label: PLAN_LABELS[name] });
  return (
    <>
      <TextField {...field('title')} required />
      <div class="times">
        <TextField {...field('startDay')} type="date" required />
        <TextField {...field('startTime')} type="time" />
        <TextField {...field('endDay')} type="date" />
        <TextField {...field('endTime')} type="time" />
        <p class="hint">
          {`Local time of ${zone.replaceAll('_', ' ')}. Leave the times blank for whole days. An end before the start is on the next day.`}
        </p>
      </div>
      {spaces.length > 0 ? (
        <CheckboxGroup
          {...field('spaceIds')}
          hint={needsSpace ? 'Choose at least one.' : undefined}
          items={spaces.map(({ id, name, capacity, archivedAt }) => ({
            value: id,
            label: `${shortened(name)}${archivedAt ? ' (archived)' : ''}`,
            hint: capacity === null ? undefined : `Up to ${capacity} guests`,
          }))}
        />
      ) : (
        <p class="quiet">Add spaces with the API to book them: POST /v1/spaces.</p>
      )}
      <TextField {...field('guests')} inputMode="numeric" short />
      <TextField {...field('lead')} type="email" />
    </>
  );
}
