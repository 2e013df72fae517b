import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { resourceFields } from '../../../platform/http/field';
import { all, integer, listOf, oneOf, rule, text } from '../../../platform/http/field-rules';
import { PageQuery } from '../../../platform/http/page-query';
import { QueryParameter } from '../../../platform/http/query-parameter';
import { TIME_OR_NULL } from '../../../platform/openapi/common-responses';
import { MAX_STAGES } from '../domain/pipeline';
import { REQUIRABLE_FIELDS, type StageView } from '../domain/pipeline-stage';
import { type Automations, OUTCOMES, type Outcome, type StageKey, STAGES } from '../domain/stage';
import { newStageKey, STAGE, stageKey } from './stage-key';

const ARCHIVED = ['false', 'true', 'all'] as const;

const distinct = rule({ uniqueItems: true }, (value) =>
  new Set(value as unknown[]).size < (value as unknown[]).length
    ? 'must not contain an item twice'
    : undefined,
);

const { field, shown } = resourceFields({
  key: {
    rule: newStageKey,
    description: 'Stands for the stage in `stage` of leads. It never changes.',
    example: STAGE.example,
  },
  name: { rule: text(60), example: 'Tasting' },
  outcome: {
    rule: oneOf(OUTCOMES),
    description: 'How enquiries at the stage stand. Can’t change once a lead has been at the stage.',
    example: 'open',
  },
  allowedFrom: {
    rule: all(listOf(stageKey, MAX_STAGES), distinct),
    description: 'The stages that a lead may come from; `null` for any.',
    example: ['visit_booked', 'proposal_sent'],
  },
  requiredFields: {
    rule: all(listOf(oneOf(REQUIRABLE_FIELDS), REQUIRABLE_FIELDS.length), distinct),
    description:
      'The fields of a lead that must have a value when it enters. Those about its loss need the outcome `lost`.',
    example: ['phone'],
  },
  maxDays: {
    rule: integer(1, 365),
    description: 'How many days a lead should stay at most; `null` for any number. Nothing is enforced.',
    example: 14,
  },
  isHidden: {
    rule: rule({ type: 'boolean' }, (value) =>
      typeof value === 'boolean' ? undefined : 'must be true or false',
    ),
    description: 'Whether pages leave it out where a stage is chosen.',
    example: false,
  },
});

export class CreateStageBody {
  @field('key', 'required') key!: string;
  @field('name', 'required') name!: string;
  @field('outcome', 'nullable', { default: 'open' }) outcome?: Outcome | null;
  @field('allowedFrom', 'nullable') allowedFrom?: StageKey[] | null;
  @field('requiredFields', 'nullable') requiredFields?: string[] | null;
  @field('maxDays', 'nullable') maxDays?: number | null;
  @field('isHidden', 'nullable') isHidden?: boolean | null;
}

/** Null clears `allowedFrom`, `requiredFields` and `maxDays`; the other fields always have a value. */
export class UpdateStageBody {
  @field('name', 'optional') name?: string;
  @field('outcome', 'optional') outcome?: Outcome;
  @field('allowedFrom', 'nullable') allowedFrom?: StageKey[] | null;
  @field('requiredFields', 'nullable') requiredFields?: string[] | null;
  @field('maxDays', 'nullable') maxDays?: number | null;
  @field('isHidden', 'optional') isHidden?: boolean;
}

const moves = resourceFields({
  keys: {
    rule: listOf(stageKey, MAX_STAGES),
    description: 'The keys of all stages that aren’t archived, in their new order.',
    example: [...STAGES.slice(0, 3), STAGE.example, ...STAGES.slice(3)],
  },
  moveTo: {
    rule: stageKey,
    description: 'The stage that its leads move to. Required when there are any, archived leads included.',
    example: 'negotiation',
  },
});

export class ReorderStagesBody {
  @moves.field('keys', 'required') keys!: StageKey[];
}

export class ArchiveStageBody {
  @moves.field('moveTo', 'nullable') moveTo?: StageKey | null;
}

export class ListStagesQuery extends PageQuery {
  @QueryParameter({
    rule: oneOf(ARCHIVED),
    default: 'all',
    description: '`false`: leaves archived stages out; `true`: archived stages alone.',
  })
  archived?: (typeof ARCHIVED)[number];
}

@ApiSchema({ name: 'StageMove' })
class StageMoveResponse {
  @shown('key', { description: 'Where they move to.', example: 'negotiation' }) to!: string;
  @ApiProperty({ type: 'integer', description: 'How many are left.', example: 120 }) left!: number;
}

@ApiSchema({ name: 'Stage' })
export class StageResponse implements Record<keyof StageView, unknown> {
  @shown('key') key!: string;
  @shown('name') name!: string;
  @shown('outcome') outcome!: Outcome;
  @ApiProperty({
    type: 'integer',
    description: 'Orders the stages. There may be gaps; archived stages come after all others.',
    example: 9,
  })
  position!: number;

  @shown('allowedFrom', { nullable: true }) allowedFrom!: string[] | null;
  @shown('requiredFields') requiredFields!: string[];
  @shown('maxDays', { nullable: true }) maxDays!: number | null;
  @shown('isHidden') isHidden!: boolean;
  @ApiProperty({ ...TIME_OR_NULL, description: 'Set while the stage is archived.' }) archivedAt!: Date | null;
  @ApiProperty({
    type: 'integer',
    description: 'The leads at the stage, archived ones included.',
    example: 0,
  })
  leads!: number;

  @ApiProperty({
    type: () => StageMoveResponse,
    nullable: true,
    description: 'Set while the leads of an archived stage are being moved.',
    example: null,
  })
  moving!: StageMoveResponse | null;
}

@ApiSchema({ name: 'StageOrder' })
export class StageOrderResponse {
  @ApiProperty({ type: [StageResponse], description: 'All stages, archived ones last.' })
  data!: StageView[];
}

const automations = resourceFields({
  visitBooked: {
    rule: stageKey,
    description: 'Where a lead moves when a visit is booked.',
    example: 'visit_booked',
  },
  proposalSent: {
    rule: stageKey,
    description: 'Where a lead moves when a proposal is sent.',
    example: 'proposal_sent',
  },
  proposalAccepted: {
    rule: stageKey,
    description: 'Where a lead moves when a proposal is accepted.',
    example: 'confirmed',
  },
});

export class UpdateAutomationsBody {
  @automations.field('visitBooked', 'optional') visitBooked?: StageKey;
  @automations.field('proposalSent', 'optional') proposalSent?: StageKey;
  @automations.field('proposalAccepted', 'optional') proposalAccepted?: StageKey;
}

@ApiSchema({ name: 'Automations' })
export class AutomationsResponse implements Automations {
  @automations.shown('visitBooked') visitBooked!: StageKey;
  @automations.shown('proposalSent') proposalSent!: StageKey;
  @automations.shown('proposalAccepted') proposalAccepted!: StageKey;
}
