import type { FormInput } from '../form-input';
import { describe, Hint, Problem } from './field';
import { useFieldId } from './form';
import { problemOf } from './problem';

interface CheckboxGroupProps {
  form: FormInput;
  name: string;
  label: string;
  hint?: string;
  items: readonly CheckboxItem[];
}

export interface CheckboxItem {
  value: string;
  label: string;
  hint?: string;
}

/** Any number of choices. The first box bears the id of the field, so that the problem summary leads to it. */
export function CheckboxGroup({ form, name, label, hint, items }: CheckboxGroupProps) {
  const id = useFieldId(name);
  const problem = problemOf(form, name);
  const chosen = form.list(name);
  const groupId = `${id}-group`;
  const { 'aria-describedby': describedBy } = describe(groupId, { hint, problem });
  return (
    <fieldset class={problem ? 'choices faulty' : 'choices'} aria-describedby={describedBy}>
      <legend>{label}</legend>
      <Hint id={groupId}>{hint}</Hint>
      <Problem id={groupId} label={label} message={problem} />
      {items.map((item, index) => (
        <Checkbox
          {...item}
          id={index === 0 ? id : `${id}-${index}`}
          name={name}
          checked={chosen.includes(item.value)}
        />
      ))}
    </fieldset>
  );
}

export function Checkbox(props: CheckboxItem & { id: string; name: string; checked: boolean }) {
  const { id, name, value, label, hint, checked } = props;
  return (
    <div class="choice">
      <input
        type="checkbox"
        id={id}
        name={name}
        value={value}
        checked={checked}
        aria-describedby={hint && `${id}-hint`}
      />
      <div>
        <label for={id}>{label}</label>
        <Hint id={id}>{hint}</Hint>
      </div>
    </div>
  );
}
