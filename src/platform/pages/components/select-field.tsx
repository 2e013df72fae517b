import { Field, type FieldProps } from './field';
import { useForm } from './form';

interface SelectFieldProps extends FieldProps {
  options: readonly Option[];
  /** Sends the form as soon as something is chosen, and hides its button: for what is easily undone, such as filters. */
  autoSubmit?: boolean;
}

interface Option {
  /** An empty value makes the field optional. */
  value: string;
  label: string;
}

export function SelectField({ options, autoSubmit, ...field }: SelectFieldProps) {
  const { method } = useForm();
  const chosen = field.form.value(field.name);
  const isOptional = method === 'post' && options.some(({ value }) => value === '');
  return (
    <Field {...field} isOptional={isOptional}>
      {(control) => (
        <select {...control} class="control" data-autosubmit={autoSubmit}>
          {options.map(({ value, label }) => (
            <option value={value} selected={value === chosen}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
