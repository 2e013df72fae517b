import type { FormInput } from '../form-input';
import { describe, Hint, Problem } from './field';
import { useFieldId } from './form';
import { problemOf } from './problem';

interface CheckboxFieldProps {
  form: FormInput;
  name: string;
  label: string;
  hint?: string;
  required?: boolean;
}

/** One box, which sends `yes` when it is ticked and nothing otherwise. */
export function CheckboxField({ form, name, label, hint, required }: CheckboxFieldProps) {
  const id = useFieldId(name);
  const problem = problemOf(form, name);
  return (
    <div class={problem ? 'choices faulty' : 'choices'}>
      <Problem id={id} label={label} message={problem} />
      <div class="choice">
        <input
          type="checkbox"
          id={id}
          name={name}
          value="yes"
          checked={form.isChecked(name)}
          required={required}
          {...describe(id, { hint, problem })}
        />
        <div>
          <label for={id}>{label}</label>
          <Hint id={id}>{hint}</Hint>
        </div>
      </div>
    </div>
  );
}
