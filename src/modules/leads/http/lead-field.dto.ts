import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { resourceFields } from '../../../platform/http/field';
import { all, integer, objectList, oneOf, rule, text } from '../../../platform/http/field-rules';
import { PageQuery } from '../../../platform/http/page-query';
import { PathId } from '../../../platform/http/path-id';
import { QueryParameter } from '../../../platform/http/query-parameter';
import { TIME, TIME_OR_NULL } from '../../../platform/openapi/common-responses';
import { FIELD_TYPES, type FieldOption, type FieldType } from '../domain/field-value';
import {
  FIELD_KEY_PATTERN,
  isFieldKey,
  type LeadFieldView,
  MAX_OPTIONS,
  MAX_POSITION,
  OPTION_VALUE_PATTERN,
} from '../domain/lead-field';

export const LEAD_FIELD = new PathId('field', 'custom field');

const ARCHIVED = ['false', 'true', 'all'] as const;
const OPTION_VALUE = new RegExp(OPTION_VALUE_PATTERN);

const flag = rule({ type: 'boolean' }, (value) =>
  typeof value === 'boolean' ? undefined : 'must be true or false',
);

const fieldKey = rule({ type: 'string', pattern: FIELD_KEY_PATTERN }, (value) =>
  isFieldKey(value)
    ? undefined
    : 'must begin with a lower-case letter, and contain at most 40 lower-case letters, digits and underscores; constructor is reserved',
);
const fieldLabel = text(60);
const fieldDescription = text(500);
const optionValue = all(
  text(60),
  rule({ pattern: OPTION_VALUE_PATTERN }, (value) =>
    OPTION_VALUE.test(value as string)
      ? undefined
      : 'must have no semicolon, and only single spaces between words',
  ),
);
const optionLabel = text(60);

const option = resourceFields({
  value: {
    rule: optionValue,
    description:
      'Stands for the option in values of leads. Unique in the field, ignoring case. It never changes.',
    example: 'garden',
  },
  label: { rule: optionLabel, example: 'Garden' },
  archived: {
    rule: flag,
    description: 'Whether no lead can get it any more. Leads that have it keep it.',
    example: false,
  },
});

@ApiSchema({ name: 'LeadFieldOptionInput' })
export class OptionBody {
  @option.field('value', 'required') value!: string;
  @option.field('label', 'required') label!: string;
  @option.field('archived', 'optional', { default: false }) archived?: boolean;
}

@ApiSchema({ name: 'LeadFieldOption' })
class OptionResponse implements FieldOption {
  @option.shown('value') value!: string;
  @option.shown('label') label!: string;
  @option.shown('archived') archived!: boolean;
}

const { field, shown } = resourceFields({
  key: {
    rule: fieldKey,
    description:
      'Stands for the field in `custom` of leads. Unique, archived fields included. It never changes.',
    example: 'room',
  },
  label: { rule: fieldLabel, example: 'Room' },
  description: { rule: fieldDescription, example: 'Where the party wants to be.' },
  type: {
    rule: oneOf(FIELD_TYPES),
    description: 'Which values leads can have in the field. It never changes.',
    example: 'select',
  },
  options: {
    rule: objectList(() => OptionBody, MAX_OPTIONS),
    description:
      'What leads can have in a field of the type `select` or `multi_select`, in their order; other types have none.',
  },
  isRequired: {
    rule: flag,
    description:
      'Whether new leads must have a value in it. Existing leads needn’t, nor leads that a chat message creates.',
    example: false,
  },
  position: {
    rule: integer(1, MAX_POSITION),
    description:
      'Orders the fields. There may be gaps; of fields with the same position the older comes first.',
    example: 1,
  },
});

export class CreateLeadFieldBody {
  @field('key', 'required') key!: string;
  @field('label', 'required') label!: string;
  @field('type', 'required') type!: FieldType;
  @field('description', 'nullable') description?: string | null;
  @field('options', 'nullable') options?: OptionBody[] | null;
  @field('isRequired', 'nullable') isRequired?: boolean | null;
  @field('position', 'nullable') position?: number | null;
}

/** Null clears `description`; the other fields always have a value. */
export class UpdateLeadFieldBody {
  @field('label', 'optional') label?: string;
  @field('description', 'nullable') description?: string | null;
  @field('options', 'optional', {
    description:
      'All options, in their new order: archived ones too, and those that leads may have. New ones can be among them.',
  })
  options?: OptionBody[];

  @field('isRequired', 'optional') isRequired?: boolean;
  @field('position', 'optional') position?: number;
}

export class ListLeadFieldsQuery extends PageQuery {
  @QueryParameter({
    rule: oneOf(ARCHIVED),
    default: 'false',
    description: '`true`: archived fields alone; `all`: both.',
  })
  archived?: (typeof ARCHIVED)[number];
}

@ApiSchema({ name: 'LeadField' })
export class LeadFieldResponse implements Record<keyof LeadFieldView, unknown> {
  @ApiProperty({ example: LEAD_FIELD.example }) id!: string;
  @shown('key') key!: string;
  @shown('label') label!: string;
  @shown('description', { nullable: true }) description!: string | null;
  @shown('type') type!: FieldType;
  @shown('options', { type: () => OptionResponse, isArray: true, maxItems: MAX_OPTIONS })
  options!: OptionResponse[];

  @shown('isRequired') isRequired!: boolean;
  @shown('position') position!: number;
  @ApiProperty({ ...TIME_OR_NULL, description: 'Set while the field is archived.' }) archivedAt!: Date | null;
  @ApiProperty(TIME) createdAt!: Date;
  @ApiProperty(TIME) updatedAt!: Date;
}

/** The options of a body, none of which leaves anything open. */
export function optionsOf(given: readonly OptionBody[]): FieldOption[] {
  return given.map(({ value, label, archived = false }) => ({ value, label, archived }));
}
