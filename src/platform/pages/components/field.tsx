import type { ComponentChildren } from 'preact';
import type { FormInput } from '../form-input';
import { useFieldId } from './form';
import { problemOf, problemSentence } from './problem';

export interface FieldProps {
  form: FormInput;
  name: string;
  label: string;
  hint?: ComponentChildren;
  /** Hides the label visually, but not from screen readers: for places that make it obvious, such as a row of a table. */
  hideLabel?: boolean;
}

/** The attributes that associate a control with its label, hint and problem. */
interface ControlAttributes {
  id: string;
  name: string;
  'aria-describedby': string | undefined;
  'aria-invalid': 'true' | undefined;
}

/** Renders a label, hint, problem and control. `children` renders the control with the given attributes. */
export function Field(
  props: FieldProps & { isOptional: boolean; children: (control: ControlAttributes) => ComponentChildren },
) {
  const { form, name, label, hint, hideLabel, isOptional, children } = props;
  const id = useFieldId(name);
  const problem = problemOf(form, name);
  return (
    <div class="field">
      <label for={id} class={hideLabel ? 'visually-hidden' : undefined}>
        {label}
        {isOptional && !hideLabel && <span class="optional"> (optional)</span>}
      </label>
      <Hint id={id}>{hint}</Hint>
      <Problem id={id} label={label} message={problem} />
      {children({ id, name, ...describe(id, { hint, problem }) })}
    </div>
  );
}

export function describe(id: string, { hint, problem }: { hint?: ComponentChildren; problem?: string }) {
  const parts = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean);
  return {
    'aria-describedby': parts.length > 0 ? parts.join(' ') : undefined,
    'aria-invalid': problem ? ('true' as const) : undefined,
  };
}

export function Hint({ id, children }: { id: string; children?: ComponentChildren }) {
  if (!children) return null;
  return (
    <p class="hint" id={`${id}-hint`}>
      {children}
    </p>
  );
}

export function Problem({ id, label, message }: { id: string; label: string; message?: string }) {
  if (!message) return null;
  return (
    <p class="problem" id={`${id}-problem`}>
      {problemSentence(label, message)}
    </p>
  );
}
