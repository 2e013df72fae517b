import type { FieldProblem } from '../../../kernel/errors';
import { problemSentence } from '../../../platform/pages/components/problem';
import { labelsWith } from './lead-fields';

/** Why a lead can’t be changed as asked, in one sentence for each problem. */
export function sentencesOf(problems: readonly FieldProblem[]): string {
  const labels = labelsWith([]);
  return problems.map(({ field, message }) => problemSentence(labels[field] ?? field, message)).join(' ');
}
