import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { newSecretToken } from '../../../kernel/secret-token';
import { CSRF_FIELD } from '../csrf.guard';
import { usePage } from '../page-context';
import { SUBMISSION_FIELD } from '../submission';
import type { Path } from './link';

interface FormProps {
  action: Path;
  /** `get` forms only look for something: they change nothing and carry no tokens. */
  method?: 'post' | 'get';
  /** Tells apart forms of one page whose fields have the same names. */
  id?: string;
  /**
   * `inline` puts fields and buttons side by side, for forms of a few fields or a single button; `filters` makes
   * them small, above a list; `free` leaves it to what is in it.
   */
  layout?: 'stacked' | 'inline' | 'filters' | 'free';
  /** Its name, for a form that has no heading. */
  label?: string;
  /** Its last field is a file: for routes with `FileBody('multipart/form-data')`. */
  withFile?: boolean;
  children: ComponentChildren;
}

interface FormScope {
  id?: string;
  method: 'post' | 'get';
}

const Scope = createContext<FormScope>({ method: 'post' });

export const useForm = (): FormScope => useContext(Scope);

/** The id of a field's control, which the problem summary links to. */
export function useFieldId(name: string): string {
  const { id } = useForm();
  return id ? `${id}-${name}` : `field-${name}`;
}

export function Form(props: FormProps) {
  const { action, method = 'post', id, layout = 'stacked', label, withFile, children } = props;
  const { basePath, csrfToken } = usePage();
  return (
    <form
      action={basePath + action}
      method={method}
      enctype={withFile ? 'multipart/form-data' : undefined}
      id={id}
      class={`form ${layout}`}
      aria-label={label}
    >
      {method === 'post' && <input type="hidden" name={CSRF_FIELD} value={csrfToken} />}
      {method === 'post' && <SubmissionToken />}
      <Scope.Provider value={{ id, method }}>{children}</Scope.Provider>
    </form>
  );
}

/** Without `autocomplete` Firefox keeps the token of the page before when the page is reloaded. */
function SubmissionToken() {
  return <input type="hidden" name={SUBMISSION_FIELD} value={newSecretToken()} autocomplete="off" />;
}
