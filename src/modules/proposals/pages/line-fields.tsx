import { useFieldId } from '../../../platform/pages/components/form';
import type { FormInput } from '../../../platform/pages/form-input';
import { MAX_LINE_ITEMS, type Unit, UNITS } from '../domain/line-item';
import { countLines, lineField } from './draft-form';

export const UNIT_NAMES: Record<Unit, string> = {
  flat: 'Flat',
  per_guest: 'Per guest',
  per_hour: 'Per hour',
  per_day: 'Per day',
};

export const LINE_LABELS = {
  description: 'Item',
  quantity: 'Quantity',
  unit: 'Unit',
  unitAmount: 'Price',
  taxRate: 'Tax %',
  group: 'Group',
} as const;

interface LineFieldsProps {
  form: FormInput;
  /** How many blank lines follow those that are filled in. */
  blank: number;
}

/** A row of fields for each line. The markup is short, since there may be a hundred. */
export function LineFields({ form, blank }: LineFieldsProps) {
  const count = Math.min(countLines(form) + blank, MAX_LINE_ITEMS);
  return (
    <div class="lines" id={useFieldId('lineItems')} tabindex={-1}>
      {Array.from({ length: count }, (_, line) => (
        <Line form={form} line={line} />
      ))}
    </div>
  );
}

function Line({ form, line }: { form: FormInput; line: number }) {
  const field = (name: keyof typeof LINE_LABELS) => lineField(line, name);
  const unit = form.value(field('unit')) || 'flat';
  return (
    <fieldset class="line">
      <legend>Line {line + 1}</legend>
      <label>
        <span>{LINE_LABELS.description}</span>
        <textarea class="control" rows={1} {...useControl(form, field('description'))}>
          {`\n${form.value(field('description'))}`}
        </textarea>
      </label>
      <NumberField form={form} name={field('quantity')} label={LINE_LABELS.quantity} />
      <label>
        <span>{LINE_LABELS.unit}</span>
        <select class="control" {...useControl(form, field('unit'))}>
          {UNITS.map((value) => (
            <option value={value} selected={value === unit}>
              {UNIT_NAMES[value]}
            </option>
          ))}
        </select>
      </label>
      <NumberField form={form} name={field('unitAmount')} label={LINE_LABELS.unitAmount} />
      <NumberField form={form} name={field('taxRate')} label={LINE_LABELS.taxRate} />
      <label>
        <span>{LINE_LABELS.group}</span>
        <input class="control" value={form.value(field('group'))} {...useControl(form, field('group'))} />
      </label>
    </fieldset>
  );
}

function NumberField({ form, name, label }: { form: FormInput; name: string; label: string }) {
  return (
    <label>
      <span>{label}</span>
      <input class="control" inputmode="decimal" value={form.value(name)} {...useControl(form, name)} />
    </label>
  );
}

/** The summary of problems names and links to a field that is wrong. */
function useControl(form: FormInput, name: string) {
  const id = useFieldId(name);
  return { name, ...(form.problem(name) !== undefined && { id, 'aria-invalid': 'true' as const }) };
}
