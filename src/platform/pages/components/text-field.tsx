import { Field, type FieldProps } from './field';
import { useForm } from './form';

interface TextFieldProps extends FieldProps {
  type?: 'text' | 'email' | 'password' | 'search' | 'date' | 'time' | 'month' | 'datetime-local';
  autoComplete?: string;
  inputMode?: 'text' | 'numeric' | 'decimal' | 'email' | 'url' | 'tel' | 'search';
  /** Without it the label says that the field is optional, unless the form only looks for something. */
  required?: boolean;
  autoFocus?: boolean;
  /** For short values, such as one-time codes. */
  short?: boolean;
}

/** One line of text. What was typed is shown again, but for passwords and one-time codes. */
export function TextField(props: TextFieldProps) {
  const { type = 'text', autoComplete, inputMode, required, autoFocus, short, ...field } = props;
  const { method } = useForm();
  const isSecret = type === 'password' || autoComplete === 'one-time-code';
  return (
    <Field {...field} isOptional={!required && method === 'post'}>
      {(control) => (
        <input
          {...control}
          // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-assertion -- to the compiler, Preact’s inputs differ by their type
          type={type as 'text'}
          class={short ? 'control short' : 'control'}
          value={isSecret ? undefined : field.form.value(field.name)}
          autocomplete={autoComplete}
          autocapitalize={type === 'text' || type === 'search' ? undefined : 'none'}
          inputmode={inputMode}
          required={required}
          autofocus={autoFocus}
        />
      )}
    </Field>
  );
}
