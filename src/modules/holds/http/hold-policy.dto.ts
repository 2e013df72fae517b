import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { resourceFields } from '../../../platform/http/field';
import { integer } from '../../../platform/http/field-rules';
import { REVISION } from '../../../platform/openapi/common-responses';
import { trueOrFalse } from '../../calendar';
import type { StoredPolicy } from '../application/hold-repository';
import { POLICY_BOUNDS } from '../domain/hold-policy';

const within = (name: keyof typeof POLICY_BOUNDS) => {
  const [least, most] = POLICY_BOUNDS[name];
  return integer(least, most);
};

const { field, shown } = resourceFields({
  defaultDays: {
    rule: within('defaultDays'),
    description: 'How long a hold lasts that is placed without `expiresAt`; at most `maxTotalDays`.',
    example: 14,
  },
  maxTotalDays: {
    rule: within('maxTotalDays'),
    description: 'How long a hold may last from its placing, extensions included.',
    example: 60,
  },
  challengeHours: {
    rule: within('challengeHours'),
    description: 'The time to answer a challenge without a `deadline`.',
    example: 48,
  },
  winnerHours: {
    rule: within('winnerHours'),
    description:
      'The time to answer of a hold that becomes first while it is challenged, or by its own challenge.',
    example: 24,
  },
  remindHours: {
    rule: within('remindHours'),
    description: 'How long before a deadline `hold.expiring` is told; 0 for never.',
    example: 24,
  },
  maxRank: { rule: within('maxRank'), description: 'The longest queue.', example: 5 },
  releaseOnLost: {
    rule: trueOrFalse,
    description: 'Whether the holds of a lead end, as `lead_closed`, when it is lost.',
    example: true,
  },
});

export class UpdateHoldPolicyBody {
  @field('defaultDays', 'optional') defaultDays?: number;
  @field('maxTotalDays', 'optional') maxTotalDays?: number;
  @field('challengeHours', 'optional') challengeHours?: number;
  @field('winnerHours', 'optional') winnerHours?: number;
  @field('remindHours', 'optional') remindHours?: number;
  @field('maxRank', 'optional') maxRank?: number;
  @field('releaseOnLost', 'optional') releaseOnLost?: boolean;
}

@ApiSchema({ name: 'HoldPolicy' })
export class HoldPolicyResponse implements Record<keyof StoredPolicy, unknown> {
  @shown('defaultDays') defaultDays!: number;
  @shown('maxTotalDays') maxTotalDays!: number;
  @shown('challengeHours') challengeHours!: number;
  @shown('winnerHours') winnerHours!: number;
  @shown('remindHours') remindHours!: number;
  @shown('maxRank') maxRank!: number;
  @shown('releaseOnLost') releaseOnLost!: boolean;
  @ApiProperty(REVISION) revision!: number;
}
