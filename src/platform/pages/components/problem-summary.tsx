import type { FieldProblem } from '../../../kernel/errors';
import type { FormInput } from '../form-input';
import { useFieldId } from './form';
import { isOf, problemSentence } from './problem';

interface ProblemSummaryProps {
  form: FormInput;
  /** The label of each field, by its name. */
  labels: Record<string, string>;
}

/** Stands at the top of its Form, and says all that is wrong when the form is shown again. */
export function ProblemSummary({ form, labels }: ProblemSummaryProps) {
  if (!form.isFaulty) return null;
  return (
    <div class="notice danger" role="alert" tabindex={-1} data-autofocus-problem>
      <p class="notice-title">Please mend this first</p>
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
  // A field that the form doesn't show can't be led to.
  if (label === undefined) return problemSentence(field, message);
  return <a href={`#${id}`}>{problemSentence(label, message)}</a>;
}
