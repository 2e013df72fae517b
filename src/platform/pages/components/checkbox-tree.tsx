import type { FormInput } from '../form-input';
import { Checkbox, type CheckboxItem } from './checkbox-group';
import { describe, Hint, Problem } from './field';
import { useFieldId } from './form';
import { problemOf } from './problem';

interface CheckboxTreeProps {
  form: FormInput;
  name: string;
  label: string;
  hint?: string;
  /** The choice that takes in every other. */
  all: CheckboxItem;
  branches: readonly CheckboxBranch[];
}

export interface CheckboxBranch {
  label: string;
  /** The choice that takes in the whole branch, for a branch that has one. */
  all?: CheckboxItem;
  items: readonly CheckboxItem[];
}

/**
 * Any number of choices, of which those that end in `*` take in all that begin like them: what is taken in already is
 * shown so where scripts run. Branches are folded unless something in them is chosen. The first box bears the id of the field, so
 * that the problem summary leads to it.
 */
export function CheckboxTree({ form, name, label, hint, all, branches }: CheckboxTreeProps) {
  const id = useFieldId(name);
  const problem = problemOf(form, name);
  const groupId = `${id}-group`;
  const { 'aria-describedby': describedBy } = describe(groupId, { hint, problem });
  const chosen = form.list(name);
  const box = (item: CheckboxItem, boxId: string) => (
    <Checkbox {...item} id={boxId} name={name} checked={chosen.includes(item.value)} />
  );
  return (
    <fieldset class={problem ? 'choices faulty' : 'choices'} aria-describedby={describedBy} data-choice-tree>
      <legend>{label}</legend>
      <Hint id={groupId}>{hint}</Hint>
      <Problem id={groupId} label={label} message={problem} />
      {box(all, id)}
      {branches.map((branch, place) => (
        <details class="branch" open={hasChosen(branch, chosen)}>
          <summary>
            {branch.label} <span class="count">{branch.items.length}</span>
          </summary>
          <fieldset class="choices" aria-label={branch.label}>
            {branch.all && box(branch.all, `${id}-${place}-all`)}
            <div class="twigs">{branch.items.map((item, index) => box(item, `${id}-${place}-${index}`))}</div>
          </fieldset>
        </details>
      ))}
    </fieldset>
  );
}

function hasChosen({ all, items }: CheckboxBranch, chosen: readonly string[]): boolean {
  return [all, ...items].some((item) => item !== undefined && chosen.includes(item.value));
}
