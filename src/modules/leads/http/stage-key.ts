import { NotFound } from '../../../kernel/errors';
import { rule } from '../../../platform/http/field-rules';
import { STAGE_KEY_PATTERN, type StageKey, STAGES } from '../domain/stage';

export const KEY_PATTERN = new RegExp(STAGE_KEY_PATTERN);

function isKey(value: unknown): value is string {
  return typeof value === 'string' && KEY_PATTERN.test(value);
}

/** Whether there is a stage with the key is checked later: a workspace can add stages. */
export const stageKey = rule(
  {
    anyOf: [
      { type: 'string', enum: [...STAGES] },
      { type: 'string', pattern: STAGE_KEY_PATTERN },
    ],
  },
  (value) => (isKey(value) ? undefined : `must be one of ${STAGES.join(', ')}, or the key of an added stage`),
);

/** The key of a stage to add. */
export const newStageKey = rule({ type: 'string', pattern: STAGE_KEY_PATTERN }, (value) =>
  isKey(value)
    ? undefined
    : 'must begin with a lower-case letter, and contain at most 40 lower-case letters, digits and underscores',
);

/** The key of a stage as a path parameter. */
export const STAGE = {
  name: 'stage',
  example: 'tasting',

  /** @throws NotFound for text that is no key */
  read(text: string): StageKey {
    if (!isKey(text)) throw new NotFound('stage');
    return text;
  },
};
