import { Field, type FieldProps } from './field';
import { useForm } from './form';

interface TextAreaProps extends FieldProps {
  rows?: number;
  /** Without it the label says that the field is optional. */
  required?: boolean;
}

/** Several lines of text. Browsers send its line breaks as CRLF. */
export function TextArea({ rows = 4, required, ...field }: TextAreaProps) {
  const { method } = useForm();
  return (
    <Field {...field} isOptional={!required && method === 'post'}>
      {(control) => (
        <textarea {...control} class="control" rows={rows} required={required}>
          {/* Browsers drop the first line break, which may be part of the text. */}
          {`\n${field.form.value(field.name)}`}
        </textarea>
      )}
    </Field>
  );
}
