import { rule } from '../../../platform/http/field-rules';
import { isStageKey, readStageKey, STAGE_KEY_PATTERN, STAGES } from '../domain/stage';

/** Whether there is a stage with the key is checked later: a workspace can add stages. */
export const stageKey = rule(
  {
    anyOf: [
      { type: 'string', enum: [...STAGES] },
      { type: 'string', pattern: STAGE_KEY_PATTERN },
    ],
  },
  (value) =>
    isStageKey(value) ? undefined : `must be one of ${STAGES.join(', ')}, or the key of an added stage`,
);

/** The key of a stage to add. */
export const newStageKey = rule({ type: 'string', pattern: STAGE_KEY_PATTERN }, (value) =>
  isStageKey(value)
    ? undefined
    : 'must begin with a lower-case letter, and contain at most 40 lower-case letters, digits and underscores',
);

/** The key of a stage as a path parameter. */
export const STAGE = { name: 'stage', example: 'tasting', read: readStageKey };
