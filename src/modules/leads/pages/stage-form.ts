import * as fieldRules from '../../../platform/http/field-rules';
import type { FormInput } from '../../../platform/pages/form-input';
import { REQUIRABLE_FIELDS, type StageFields, type StageView } from '../domain/pipeline-stage';
import { isBuiltIn, OUTCOMES, type Outcome, type StageKey } from '../domain/stage';

const days: fieldRules.ValueCheck = (value) =>
  /^\d{1,3}$/.test(value as string) && Number(value) >= 1 && Number(value) <= 365
    ? undefined
    : 'must be a whole number from 1 to 365';

/** The choice of all stages, added ones and later ones too: no key. */
export const ANY_STAGE = '*';

/** What the fields of a stage's form begin with. */
export function rulesOf(stage: StageView): Record<string, string | string[] | undefined> {
  const { name, outcome, maxDays, isHidden, allowedFrom, requiredFields } = stage;
  return {
    name,
    outcome,
    maxDays: maxDays === null ? undefined : String(maxDays),
    isHidden: isHidden ? 'yes' : undefined,
    allowedFrom: allowedFrom ?? [ANY_STAGE],
    requiredFields,
  };
}

/** @param stages of the workspace */
export function readRules(
  form: FormInput,
  stage: StageView,
  stages: readonly StageView[],
): Partial<StageFields> {
  const name = form.text('name', fieldRules.text(60));
  const maxDays = form.optional('maxDays', days);
  const shown = {
    name,
    maxDays: maxDays === null ? null : Number(maxDays),
    isHidden: form.isChecked('isHidden'),
  };
  if (isBuiltIn(stage.key)) return shown;
  const required = form.list('requiredFields');
  return {
    ...shown,
    outcome: form.text('outcome', fieldRules.oneOf(OUTCOMES)) as Outcome,
    allowedFrom: readAllowedFrom(form.list('allowedFrom'), stage, stages),
    requiredFields: REQUIRABLE_FIELDS.filter((field) => required.includes(field)),
  };
}

/** The stages that leads may come from by choice, as the form of a stage shows them. */
export function choicesFor(stage: StageView, stages: readonly StageView[]): StageView[] {
  return stages.filter(({ key, archivedAt }) => key !== stage.key && !archivedAt);
}

/** Keeps the order, and the keys that the form doesn't show. */
function readAllowedFrom(
  chosen: readonly string[],
  stage: StageView,
  stages: readonly StageView[],
): StageKey[] | null {
  if (chosen.includes(ANY_STAGE)) return null;
  const shown = choicesFor(stage, stages).map(({ key }) => key);
  const kept = (stage.allowedFrom ?? []).filter((key) => chosen.includes(key) || !shown.includes(key));
  return [...new Set([...kept, ...chosen])];
}

/** The keys with one of them a place further up or down. */
export function moved(keys: readonly string[], up: string, down: string): string[] {
  const order = [...keys];
  const index = up ? order.indexOf(up) - 1 : order.indexOf(down);
  if (index < 0 || index + 1 >= order.length) return order;
  [order[index], order[index + 1]] = [order[index + 1]!, order[index]!];
  return order;
}
