import type { Lead, LeadFields } from './lead';
import type { Pipeline } from './pipeline';

/**
 * Of given fields, those that fill an empty field of the lead, custom ones each for itself. The stage is among them only if it moves an open lead forward,
 * and why the lead was lost only if the stage that was given beside it is.
 */
export function fillingFields(
  lead: Lead,
  fields: Partial<LeadFields>,
  pipeline: Pipeline,
): Partial<LeadFields> {
  const { stage, custom = {}, ...others } = fields;
  const current = lead.view();
  const isMoved = stage !== undefined && current.outcome === 'open' && pipeline.isBehind(lead.stage, stage);
  if (stage !== undefined && !isMoved && current.outcome !== 'lost') {
    delete others.lostReasonId;
    delete others.lostNote;
  }
  const values = filling(custom, current.custom);
  return {
    ...filling(others, current),
    ...(Object.keys(values).length > 0 && { custom: values }),
    ...(isMoved && { stage }),
  };
}

function filling<Fields extends object>(given: Fields, current: object): Fields {
  const entries = Object.entries(given).filter(
    ([name, value]) => isEmpty((current as Record<string, unknown>)[name]) && !isEmpty(value),
  );
  return Object.fromEntries(entries) as Fields;
}

function isEmpty(value: unknown): boolean {
  return (value ?? null) === null || (Array.isArray(value) && value.length === 0);
}
