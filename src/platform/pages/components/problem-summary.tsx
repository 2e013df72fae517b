import type { FieldProblem } from '../../../kernel/errors';
import type { FormInput } from '../form-input';
import { useFieldId } from './form';
import { isOf, problemSentence } from './problem';

interface ProblemSummaryProps {
  form: FormInput;
  /** The label of each field, by its name. */
  labels: Record<string, string>;
}

/** Lists every problem at the top of a form that is shown again. */
export function ProblemSummary({ form, labels }: ProblemSummaryProps) {
  if (!form.isFaulty) return null;
  return (
    <div class="notice danger" role="alert" tabindex={-1} data-autofocus-problem>
      <p class="notice-title">There’s a problem with this form</p>
      <ul>
        {form.problems.map((problem) => (
          <li>
            <ProblemLine {...problem} labels={labels} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function ProblemLine({ field, message, labels }: FieldProblem & { labels: Record<string, string> }) {
  const [name, label] = Object.entries(labels).find(([name]) => isOf(name, field)) ?? [];
  const id = useFieldId(name ?? field);
  // The form doesn't show this field, so there is nothing to link to.
  if (label === undefined) return problemSentence(field, message);
  return <a href={`#${id}`}>{problemSentence(label, message)}</a>;
}
