import { Notice } from '../../../platform/pages/components/notice';
import { problemSentence } from '../../../platform/pages/components/problem';
import type { FormInput } from '../../../platform/pages/form-input';

const LABELS: Record<string, string> = {
  lineItems: 'The lines',
  validUntil: 'The last day of validity',
  version: 'This version',
  leadId: 'The lead',
};

/** Says why an action changed nothing: what the form's use case refused. */
export function Refusal({ form }: { form: FormInput }) {
  if (!form.isFaulty) return null;
  return (
    <Notice kind="danger" title="Nothing was changed">
      {form.problems.map(({ field, message }) => (
        <p>
          {field === 'If-Match'
            ? 'Somebody changed this proposal after you opened this page. This is what it says now.'
            : problemSentence(LABELS[field] ?? capitalised(field), message)}
        </p>
      ))}
    </Notice>
  );
}

function capitalised(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1);
}
