import type { ApiPropertyOptions } from '@nestjs/swagger';
import { distinctTexts } from '../../../kernel/text';
import { Field, type FieldOptions } from '../../../platform/http/field';
import {
  all,
  date,
  email,
  integer,
  oneOf,
  type Rule,
  rule,
  text,
  textList,
} from '../../../platform/http/field-rules';
import { ApiProperty, ApiSchema } from '../../../platform/openapi/decorators';
import { type LeadView, MAX_TAGS, type Stage, STAGES } from '../domain/lead';
import { PHONE_PATTERN, phoneProblem } from '../domain/phone';

export const EXAMPLE_LEAD_ID = 'lead_01h455vb4pex5vsknk084sn02q';

/** With duplicates, which are dropped before the tags are counted. */
const MAX_TAGS_GIVEN = 1000;

/** With everything that people write between the digits. */
const MAX_PHONE_LENGTH = 200;

const phone = rule({ pattern: PHONE_PATTERN, maxLength: MAX_PHONE_LENGTH }, (value) => {
  if (typeof value !== 'string') return 'must be a string';
  return value.length > MAX_PHONE_LENGTH
    ? `must have at most ${MAX_PHONE_LENGTH} characters`
    : phoneProblem(value);
});

const tags: Rule = all(textList(50), (value) =>
  distinctTexts(value as string[]).length > MAX_TAGS
    ? `must hold at most ${MAX_TAGS} different tags`
    : undefined,
);

/** A lead's fields, told once for what clients send and what they get. */
const FIELDS = {
  name: { rule: text(200), schema: { type: String, minLength: 1, maxLength: 200, example: 'Ana Pérez' } },
  email: {
    rule: email,
    schema: {
      type: String,
      format: 'idn-email',
      maxLength: 254,
      description: 'Stored as given. Compared ignoring case.',
      example: 'ana@example.com',
    },
  },
  phone: {
    rule: phone,
    schema: {
      type: String,
      description:
        'International format. Spaces, dashes, dots and parentheses are dropped; `(0)` is refused, since some countries keep that 0 and some don’t.',
      example: '+34600123456',
    },
  },
  eventDate: { rule: date, schema: { type: String, format: 'date', example: '2027-06-12' } },
  guests: {
    rule: integer(1, 100_000),
    schema: { type: 'integer', minimum: 1, maximum: 100_000, example: 120 },
  },
  source: {
    rule: text(100),
    schema: {
      type: String,
      minLength: 1,
      maxLength: 100,
      description: 'Where the lead came from.',
      example: 'website',
    },
  },
  stage: {
    rule: oneOf(STAGES),
    schema: { enum: [...STAGES], description: 'Any stage may follow any.', example: 'new_enquiry' },
  },
  tags: {
    rule: tags,
    schema: {
      type: 'array',
      maxItems: MAX_TAGS_GIVEN,
      items: { type: 'string', minLength: 1, maxLength: 50 },
      description: `At most ${MAX_TAGS} different ones, of 1 to 50 characters. Duplicates are dropped, ignoring case.`,
      example: ['vip', 'garden'],
    },
  },
} satisfies Record<string, { rule: Rule; schema: ApiPropertyOptions }>;

const field = (name: keyof typeof FIELDS, presence: FieldOptions['presence']) =>
  Field({ ...FIELDS[name], presence });
const shown = (name: keyof typeof FIELDS, extra: ApiPropertyOptions = {}) =>
  ApiProperty({ ...FIELDS[name].schema, ...extra });

export class CreateLeadBody {
  @field('email', 'required') email!: string;
  @field('name', 'nullable') name?: string | null;
  @field('phone', 'nullable') phone?: string | null;
  @field('eventDate', 'nullable') eventDate?: string | null;
  @field('guests', 'nullable') guests?: number | null;
  @field('source', 'nullable') source?: string | null;
  @field('stage', 'nullable') stage?: Stage | null;
  @field('tags', 'nullable') tags?: string[] | null;
}

/** Null clears a field, but for `email` and `stage`, which are never without a value. */
export class UpdateLeadBody {
  @field('stage', 'optional') stage?: Stage;
  @field('tags', 'nullable') tags?: string[] | null;
  @field('name', 'nullable') name?: string | null;
  @field('email', 'optional') email?: string;
  @field('phone', 'nullable') phone?: string | null;
  @field('eventDate', 'nullable') eventDate?: string | null;
  @field('guests', 'nullable') guests?: number | null;
  @field('source', 'nullable') source?: string | null;
}

@ApiSchema({ name: 'Lead' })
export class LeadResponse implements Record<keyof LeadView, unknown> {
  @ApiProperty({ example: EXAMPLE_LEAD_ID }) id!: string;
  @shown('name', { nullable: true }) name!: string | null;
  @shown('email') email!: string;
  @shown('phone', { nullable: true }) phone!: string | null;
  @shown('eventDate', { nullable: true }) eventDate!: string | null;
  @shown('guests', { nullable: true }) guests!: number | null;
  @shown('source', { nullable: true }) source!: string | null;
  @shown('stage') stage!: Stage;
  @shown('tags', { maxItems: MAX_TAGS }) tags!: string[];

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Set while the lead is archived.',
    example: null,
  })
  archivedAt!: Date | null;

  @ApiProperty({ type: String, format: 'date-time', example: '2027-01-15T09:30:00.000Z' }) createdAt!: Date;
  @ApiProperty({ type: String, format: 'date-time', example: '2027-01-15T09:30:00.000Z' }) updatedAt!: Date;
}
