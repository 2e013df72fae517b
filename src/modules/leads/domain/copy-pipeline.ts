import type { DomainEvent } from '../../../kernel/domain-event';
import { ValidationFailed } from '../../../kernel/errors';
import type { Pipeline } from './pipeline';
import { isBuiltIn } from './stage';

/**
 * Makes the stages of one mode in the other what they are here: names, rules, order and automations. Stages that are there
 * alone stay, and come last.
 *
 * @throws ValidationFailed if a stage has another outcome there, or if there would be too many stages
 */
export function copyPipeline(from: Pipeline, to: Pipeline, now: Date): DomainEvent[] {
  const stages = from.views().filter(({ archivedAt }) => !archivedAt);
  const events: DomainEvent[] = [];
  for (const { key, name, outcome } of stages) {
    if (!to.has(key)) events.push(...to.add({ key, name, outcome }, now));
    else if (to.get(key).outcome !== outcome) {
      throw new ValidationFailed({
        field: 'outcome',
        message: `of the stage ${key} is another one in live data`,
      });
    } else events.push(...to.restore(key, now));
  }
  // Shown stages first: one open stage is shown at any time.
  for (const stage of stages.toSorted((one, other) => Number(one.isHidden) - Number(other.isHidden))) {
    const { key, name, maxDays, isHidden, requiredFields } = stage;
    const allowedFrom = stage.allowedFrom && stage.allowedFrom.filter((each) => to.has(each));
    const rules = isBuiltIn(key) ? {} : { allowedFrom, requiredFields };
    events.push(...to.change(key, { name, maxDays, isHidden, ...rules }, now));
  }
  const keys = stages.map(({ key }) => key);
  events.push(...to.reorder([...keys, ...to.keys.filter((key) => !keys.includes(key))], now));
  to.automate(from.automations);
  return events;
}
