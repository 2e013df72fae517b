import { Precondition } from '../../../kernel/precondition';
import type { FormInput } from '../../../platform/pages/form-input';

/** The state of the proposal that the form was shown with. */
export function seenRevision(form: FormInput): Precondition {
  return new Precondition([`"${form.value('revision')}"`]);
}
