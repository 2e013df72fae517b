import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Notice } from '../../../platform/pages/components/notice';
import type { FormInput } from '../../../platform/pages/form-input';
import type { ClientTexts } from './client-texts';
import type { ProposalTexts } from './proposal-texts';

export const MAX_QUESTION = 2000;

interface QuestionFormProps {
  token: string;
  venue: string;
  form: FormInput;
  texts: ProposalTexts & ClientTexts;
  /** Whether one was just sent. */
  isAsked: boolean;
}

/** A message to the venue. It is folded, so that it doesn't compete with the answer. */
export function QuestionForm({ token, venue, form, texts, isAsked }: QuestionFormProps) {
  const isMany = form.problem('tooMany') !== undefined;
  const isMissing = form.problem('question') !== undefined;
  return (
    <div id="question">
      {isAsked && <Notice kind="success">{texts.asked(venue)}</Notice>}
      <details class="section" open={isMany || isMissing}>
        <summary>{texts.question}</summary>
        <Form action={`/proposals/${token}/questions#question`} id="ask" label={texts.question}>
          {isMany && <p class="problem">{texts.tooManyQuestions}</p>}
          <div class="field">
            <label for="question-text">{texts.questionLabel}</label>
            {isMissing && (
              <p class="problem" id="question-problem">
                {form.value('question').trim() ? texts.tooLong : texts.required}
              </p>
            )}
            <textarea
              class="control"
              id="question-text"
              name="question"
              rows={4}
              maxlength={MAX_QUESTION}
              required
              {...(isMissing && { 'aria-invalid': 'true' as const, 'aria-describedby': 'question-problem' })}
            >
              {`\n${form.value('question')}`}
            </textarea>
          </div>
          <Button kind="secondary">{texts.ask}</Button>
        </Form>
      </details>
    </div>
  );
}
