import type { FieldProblem } from '../../../kernel/errors';
import type { CheckOptions } from '../../../platform/http/check';
import { scheduleProblems, type WrittenSchedule } from '../domain/schedule';
import { withoutNulls } from './given';

type Times = { [Name in keyof WrittenSchedule]?: WrittenSchedule[Name] | null };
interface Spaces {
  spaceId?: string | null;
  spaceIds?: string[] | null;
}

const TIMES = ['startsAt', 'endsAt', 'allDay', 'timeZone'] as const;
const SPACES = ['spaceId', 'spaceIds'] as const;
const BOTH: FieldProblem = { field: 'spaceIds', message: 'must be left out when spaceId is given' };

export const times: CheckOptions<Times> = {
  fields: TIMES,
  problems: (body) => scheduleProblems(withoutNulls<Partial<WrittenSchedule>>(body)),
};

export const visitTimes: CheckOptions<Omit<Times, 'allDay'>> = {
  fields: ['startsAt', 'endsAt', 'timeZone'],
  problems: (body) => times.problems({ ...body, allDay: false }),
};

export const spacesOnce: CheckOptions<Spaces> = {
  fields: SPACES,
  problems: ({ spaceId, spaceIds }) => (typeof spaceId === 'string' && spaceIds ? [BOTH] : []),
  schema: {
    not: {
      required: [...SPACES],
      properties: { spaceId: { type: 'string' }, spaceIds: { type: 'array', items: {} } },
    },
  },
};

/** Null counts as a value if it clears the field. */
export const spacesOnceOrCleared: CheckOptions<Spaces> = {
  fields: SPACES,
  problems: ({ spaceId, spaceIds }) => (spaceId !== undefined && spaceIds !== undefined ? [BOTH] : []),
  schema: { not: { required: [...SPACES] } },
};
