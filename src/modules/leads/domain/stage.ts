import { NotFound } from '../../../kernel/errors';

/** The stages that every workspace has, in their first order. Clients written from the specification use them. */
export const STAGES = [
  'new_enquiry',
  'contacted',
  'visit_booked',
  'proposal_sent',
  'negotiation',
  'confirmed',
  'completed',
  'lost',
] as const;
export type Stage = (typeof STAGES)[number];

/** The key of a built-in stage, or of one that a workspace has added. The odd form keeps the completion of the eight. */
export type StageKey = Stage | (string & Record<never, never>);

export const STAGE_KEY_PATTERN = '^[a-z][a-z0-9_]{0,39}$';
const KEY = new RegExp(STAGE_KEY_PATTERN);

export function isStageKey(value: unknown): value is string {
  return typeof value === 'string' && KEY.test(value);
}

/**
 * The key of a stage in a path.
 *
 * @throws NotFound for text that is no key
 */
export function readStageKey(text: string): StageKey {
  if (!isStageKey(text)) throw new NotFound('stage');
  return text;
}

/** How an enquiry at a stage stands: undecided, or how it ended. */
export const OUTCOMES = ['open', 'won', 'lost'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The facts that move a lead by themselves. A workspace chooses the stage that each leads to. */
export const STAGE_ROLES = ['visitBooked', 'proposalSent', 'proposalAccepted'] as const;
export type StageRole = (typeof STAGE_ROLES)[number];

/** The stages that facts lead to in a workspace that has chosen no others. */
export const DEFAULT_AUTOMATIONS: Readonly<Record<StageRole, Stage>> = {
  visitBooked: 'visit_booked',
  proposalSent: 'proposal_sent',
  proposalAccepted: 'confirmed',
};

export type Automations = Record<StageRole, StageKey>;

const CLOSED: Readonly<Partial<Record<StageKey, Outcome>>> = {
  confirmed: 'won',
  completed: 'won',
  lost: 'lost',
};
const BUILT_IN = new Set<string>(STAGES);

export function isBuiltIn(key: StageKey): key is Stage {
  return BUILT_IN.has(key);
}

export function builtInOutcome(key: Stage): Outcome {
  return CLOSED[key] ?? 'open';
}

/**
 * The outcome of the stage that a lead is at. The key alone decides for built-in stages: instances of an earlier version
 * move leads without writing the outcome.
 *
 * @param stored the outcome that was stored when the lead entered an added stage
 */
export function outcomeAt(key: StageKey, stored: Outcome | null): Outcome {
  return isBuiltIn(key) ? builtInOutcome(key) : (stored ?? 'open');
}
