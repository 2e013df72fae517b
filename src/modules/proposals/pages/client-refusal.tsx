import type { FormInput } from '../../../platform/pages/form-input';
import type { ClientTexts } from './client-texts';

interface RefusedProps {
  form: FormInput;
  /** Whether the page has the forms to accept and decline. */
  isOpen: boolean;
  texts: ClientTexts;
}

/** Says at the top of a page that is shown again what was refused: its form is far below, behind sections and prices. */
export function Refused({ form, isOpen, texts }: RefusedProps) {
  const refused = refusalOf(form, isOpen, texts);
  if (!refused) return null;
  return (
    <div class="notice danger" role="alert">
      <p>
        {refused.message} <a href={refused.place}>{texts.toForm}</a>
      </p>
    </div>
  );
}

function refusalOf(form: FormInput, isOpen: boolean, texts: ClientTexts) {
  const isFaulty = (...fields: string[]) => fields.some((field) => form.problem(field) !== undefined);
  if (isFaulty('tooMany')) return { message: texts.tooManyQuestions, place: '#question' };
  if (isFaulty('question')) return { message: texts.notAsked, place: '#question' };
  if (isOpen && isFaulty('decline', 'reason')) return { message: texts.notDeclined, place: '#decline-form' };
  if (isOpen && isFaulty('name', 'consent')) return { message: texts.notAccepted, place: '#accept' };
  return undefined;
}
