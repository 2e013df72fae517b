import type { Lead, LeadFields } from './lead';
import type { Pipeline } from './pipeline';

/**
 * Of given fields, those that fill an empty field of the lead. The stage is among them only if it moves an open lead forward,
 * and why the lead was lost only if the stage that was given beside it is.
 */
export function fillingFields(
  lead: Lead,
  fields: Partial<LeadFields>,
  pipeline: Pipeline,
): Partial<LeadFields> {
  const { stage, ...others } = fields;
  const current = lead.view();
  const isMoved = stage !== undefined && current.outcome === 'open' && pipeline.isBehind(lead.stage, stage);
  if (stage !== undefined && !isMoved && current.outcome !== 'lost') {
    delete others.lostReasonId;
    delete others.lostNote;
  }
  const filling = Object.entries(others).filter(
    ([name, value]) => isEmpty(current[name as keyof LeadFields]) && !isEmpty(value),
  );
  return { ...Object.fromEntries(filling), ...(isMoved && { stage }) };
}

function isEmpty(value: unknown): boolean {
  return (value ?? null) === null || (Array.isArray(value) && value.length === 0);
}
