import { ApiProperty, ApiSchema, type SchemaObject } from '@nestjs/swagger';
import type { LostReasonId, UserId } from '../../../kernel/ids';
import { distinctTexts } from '../../../kernel/text';
import { Field, type FieldOptions, resourceFields } from '../../../platform/http/field';
import {
  all,
  date,
  email,
  idOf,
  integer,
  isObject,
  oneOf,
  rule,
  text,
  textList,
} from '../../../platform/http/field-rules';
import { exampleId, PathId } from '../../../platform/http/path-id';
import { TIME, TIME_OR_NULL } from '../../../platform/openapi/common-responses';
import { ON_DUPLICATES, type OnDuplicate } from '../application/lead-writes';
import { type CustomValues, MAX_VALUE_BYTES } from '../domain/custom-fields';
import { type LeadView, MAX_TAGS } from '../domain/lead';
import { PHONE_PATTERN, phoneProblem } from '../domain/phone';
import { OUTCOMES, type Outcome, type StageKey } from '../domain/stage';
import { stageKey } from './stage-key';

const CUSTOM_VALUE: SchemaObject = {
  type: ['string', 'number', 'boolean', 'array', 'null'],
  items: { type: 'string' },
};

export const LEAD = new PathId('lead', 'lead');

/** Includes duplicates, which are dropped before the tags are counted. */
const MAX_TAGS_GIVEN = 1000;

/** Includes the separators that people write between the digits. */
const MAX_PHONE_LENGTH = 200;

const phone = rule({ type: 'string', pattern: PHONE_PATTERN, maxLength: MAX_PHONE_LENGTH }, (value) => {
  if (typeof value !== 'string') return 'must be a string';
  return value.length > MAX_PHONE_LENGTH
    ? `must have at most ${MAX_PHONE_LENGTH} characters`
    : phoneProblem(value);
});

const tags = all(textList(50, MAX_TAGS_GIVEN), (value) =>
  distinctTexts(value as string[]).length > MAX_TAGS
    ? `must hold at most ${MAX_TAGS} different tags`
    : undefined,
);

/** Which fields there are and what they take is checked later, since each workspace has its own. */
const custom = rule({ type: 'object', additionalProperties: CUSTOM_VALUE }, (value) =>
  isObject(value) ? undefined : 'must be an object',
);

const { field, shown } = resourceFields({
  name: { rule: text(200), example: 'Ana Pérez' },
  email: {
    rule: email,
    description: 'Stored as given. Compared ignoring case.',
    example: 'ana@example.com',
  },
  phone: {
    rule: phone,
    description:
      'International format. Spaces, dashes, dots and parentheses are dropped; `(0)` is refused, since some countries keep that 0 and some don’t.',
    example: '+34600123456',
  },
  eventDate: { rule: date, example: '2027-06-12' },
  guests: { rule: integer(1, 100_000), example: 120 },
  source: { rule: text(100), description: 'Where the lead came from.', example: 'website' },
  externalId: {
    rule: text(255),
    description:
      'Its id in another system, which no other lead of the workspace and mode has, archived ones included. Compared exactly.',
    example: 'crm-4711',
  },
  stage: {
    rule: stageKey,
    description:
      'The key of a stage. Any built-in stage may follow any; a stage that the workspace has added may have rules.',
    example: 'new_enquiry',
  },
  tags: {
    rule: tags,
    description: `At most ${MAX_TAGS} different ones, of 1 to 50 characters. Duplicates are dropped, ignoring case.`,
    example: ['vip', 'garden'],
  },
  ownerId: {
    rule: idOf('user'),
    description: 'The member who works on it, of `GET /v1/members`.',
    example: exampleId('user'),
  },
  lostReasonId: {
    rule: idOf('reason'),
    description:
      'Why the lead was lost. Only for a lead whose outcome is `lost`; cleared when it leaves such a stage.',
    example: exampleId('reason'),
  },
  lostNote: {
    rule: text(1000),
    description: 'More about why the lead was lost, under the same conditions.',
    example: 'Found a venue closer to home.',
  },
  custom: {
    rule: custom,
    description: `Values of the workspace’s custom fields, by their keys: see \`GET /v1/lead-fields\`. Those that are left out stay as they are, and \`null\` empties one. All together take at most ${MAX_VALUE_BYTES / 1024} KiB as JSON.`,
    example: {},
  },
});

/**
 * What happens to a new lead whose e-mail address or phone number another lead has. The default stands in the description alone:
 * generated types require fields of bodies that have one in the schema.
 */
export const ON_DUPLICATE: Omit<FieldOptions, 'presence'> = {
  rule: oneOf(ON_DUPLICATES),
  description:
    '`create` by default. `refuse`: a lead is refused with 422 if another one that isn’t archived has its e-mail address or phone number.',
};

/** The fields of a new lead. */
export class NewLeadFields {
  @field('email', 'required') email!: string;
  @field('name', 'nullable') name?: string | null;
  @field('phone', 'nullable') phone?: string | null;
  @field('eventDate', 'nullable') eventDate?: string | null;
  @field('guests', 'nullable') guests?: number | null;
  @field('source', 'nullable') source?: string | null;
  @field('externalId', 'nullable') externalId?: string | null;
  @field('stage', 'nullable') stage?: StageKey | null;
  @field('tags', 'nullable') tags?: string[] | null;
  @field('ownerId', 'nullable') ownerId?: UserId | null;
  @field('lostReasonId', 'nullable') lostReasonId?: LostReasonId | null;
  @field('lostNote', 'nullable') lostNote?: string | null;
  @field('custom', 'nullable') custom?: CustomValues | null;
}

export class CreateLeadBody extends NewLeadFields {
  @Field({ ...ON_DUPLICATE, presence: 'nullable' }) onDuplicate?: OnDuplicate | null;
}

/** Null clears a field, except for `email`, `stage` and `custom`. */
export class UpdateLeadBody {
  @field('stage', 'optional') stage?: StageKey;
  @field('tags', 'nullable') tags?: string[] | null;
  @field('name', 'nullable') name?: string | null;
  @field('email', 'optional') email?: string;
  @field('phone', 'nullable') phone?: string | null;
  @field('eventDate', 'nullable') eventDate?: string | null;
  @field('guests', 'nullable') guests?: number | null;
  @field('source', 'nullable') source?: string | null;
  @field('externalId', 'nullable') externalId?: string | null;
  @field('ownerId', 'nullable') ownerId?: UserId | null;
  @field('lostReasonId', 'nullable') lostReasonId?: LostReasonId | null;
  @field('lostNote', 'nullable') lostNote?: string | null;
  @field('custom', 'optional') custom?: CustomValues;
}

@ApiSchema({ name: 'Lead' })
export class LeadResponse implements Record<keyof LeadView, unknown> {
  @ApiProperty({ example: LEAD.example }) id!: string;
  @shown('name', { nullable: true }) name!: string | null;
  @shown('email') email!: string;
  @shown('phone', { nullable: true, maxLength: undefined }) phone!: string | null;
  @shown('eventDate', { nullable: true }) eventDate!: string | null;
  @shown('guests', { nullable: true }) guests!: number | null;
  @shown('source', { nullable: true }) source!: string | null;
  @shown('externalId', { nullable: true }) externalId!: string | null;
  @shown('stage') stage!: StageKey;
  @shown('tags', { maxItems: MAX_TAGS }) tags!: string[];
  @shown('ownerId', { nullable: true }) ownerId!: string | null;
  @ApiProperty({ enum: OUTCOMES, description: 'How the enquiry stands at its stage.', example: 'open' })
  outcome!: Outcome;
  @shown('lostReasonId', { nullable: true, example: null }) lostReasonId!: string | null;
  @shown('lostNote', { nullable: true, example: null }) lostNote!: string | null;
  @shown('custom', {
    description:
      'The values of all custom fields of the workspace that aren’t archived, by their keys; `null` where one is empty.',
  })
  custom!: CustomValues;
  @ApiProperty({ ...TIME_OR_NULL, description: 'Set while the lead is archived.' }) archivedAt!: Date | null;
  @ApiProperty(TIME) createdAt!: Date;
  @ApiProperty(TIME) updatedAt!: Date;
}
