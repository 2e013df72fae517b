import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import type { FieldProblem } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import { Check } from '../../../platform/http/check';
import { Field, type FieldOptions } from '../../../platform/http/field';
import { idOf, independentObjects, oneOf, rule } from '../../../platform/http/field-rules';
import { entityTags } from '../../../platform/http/if-match.decorator';
import { FieldProblemResponse } from '../../../platform/openapi/common-responses';
import {
  LEAD_OPERATIONS,
  type LeadOperation,
  type LeadWritten,
  MATCH_FIELDS,
  type MatchField,
  ON_EXISTING,
  ON_MULTIPLE,
  type OnDuplicate,
  type OnExisting,
  type OnMultiple,
} from '../application/lead-writes';
import { missingMatch } from '../application/write-targets';
import { LEAD, LeadResponse, NewLeadFields, ON_DUPLICATE, UpdateLeadBody } from './lead.dto';

/** As many as a page of a list holds. */
const MAX_ITEMS = 100;

const MATCH_BY: Omit<FieldOptions, 'presence'> = {
  rule: oneOf(MATCH_FIELDS),
  description:
    'The field by which the lead to change is found; it is required then. Archived leads are found by `externalId` alone.',
  example: 'externalId',
};

const ON_EXISTING_FIELD: FieldOptions = {
  rule: oneOf(ON_EXISTING),
  presence: 'optional',
  description:
    'How the lead that was found is changed. `overwrite`, the default: the given fields are written, and `null` clears. `fill`: only fields that are empty are written, and an open lead’s stage is only moved forward.',
};

const ON_MULTIPLE_FIELD: FieldOptions = {
  rule: oneOf(ON_MULTIPLE),
  presence: 'optional',
  description:
    'Several leads may share an address or a number. `refuse`, the default: the answer is a 422 that names them. `newest`: the one that was created last is changed.',
};

@Check<UpsertLeadBody>({
  fields: ['matchBy'],
  problems: (body) => ((body[body.matchBy] ?? null) === null ? missingMatch(body.matchBy) : []),
  schema: {
    anyOf: MATCH_FIELDS.toReversed().map((field) => ({
      properties: { matchBy: { enum: [field] } },
      required: [field],
    })),
  },
})
export class UpsertLeadBody extends UpdateLeadBody {
  @Field({ ...MATCH_BY, presence: 'required' }) matchBy!: MatchField;
  @Field(ON_EXISTING_FIELD) onExisting?: OnExisting;
  @Field(ON_MULTIPLE_FIELD) onMultiple?: OnMultiple;
}

/** An item of a bulk update. */
export class LeadUpdateItem extends UpdateLeadBody {
  @Field({ rule: idOf('lead'), presence: 'required', example: LEAD.example }) id!: LeadId;
  @Field({
    rule: entityTags,
    presence: 'optional',
    description: 'The `ETag` of the state of the lead that is to be changed, as in the header `If-Match`.',
    example: '"1"',
  })
  ifMatch?: string;
}

@ApiExtraModels(NewLeadFields, LeadUpdateItem, UpdateLeadBody)
@Check<BulkLeadsBody>({ fields: ['operation'], problems: optionProblems })
export class BulkLeadsBody {
  @Field({
    rule: oneOf(LEAD_OPERATIONS),
    presence: 'required',
    description:
      'What is done with each item. `create`: a new lead. `update`: the lead with the item’s `id` is changed. `upsert`: the lead that matches is changed, or a new one created.',
  })
  operation!: LeadOperation;

  @Field({
    rule: independentObjects(
      {
        anyOf: [NewLeadFields, LeadUpdateItem, UpdateLeadBody].map((type) => ({ $ref: getSchemaPath(type) })),
      },
      MAX_ITEMS,
    ),
    presence: 'required',
    description:
      'The fields of each lead, as `operation` takes them. A later item finds what earlier ones have done.',
  })
  items!: object[];

  @Field({
    rule: rule({ type: 'boolean' }, (value) =>
      typeof value === 'boolean' ? undefined : 'must be true or false',
    ),
    presence: 'optional',
    description:
      'Whether nothing is stored if any item fails. The answer is then a 422 that names every problem. `false` by default.',
    example: false,
  })
  atomic?: boolean;

  @Field({
    ...MATCH_BY,
    presence: 'optional',
    description: `For \`upsert\`, which requires it. ${MATCH_BY.description}`,
  })
  matchBy?: MatchField;

  @Field(ON_EXISTING_FIELD) onExisting?: OnExisting;
  @Field(ON_MULTIPLE_FIELD) onMultiple?: OnMultiple;
  @Field({ ...ON_DUPLICATE, presence: 'optional' }) onDuplicate?: OnDuplicate;
}

/** Options that would be ignored are refused, save those that are the default. */
function optionProblems(body: BulkLeadsBody): FieldProblem[] {
  const { operation, matchBy, onExisting, onMultiple, onDuplicate } = body;
  if (operation === 'upsert') {
    const required = matchBy ? [] : [{ field: 'matchBy', message: 'is required for upsert' }];
    return [...required, ...misplaced({ onDuplicate: onDuplicate === 'refuse' }, 'create')];
  }
  const ofUpsert = {
    matchBy: matchBy !== undefined,
    onExisting: onExisting === 'fill',
    onMultiple: onMultiple === 'newest',
  };
  return [
    ...misplaced(ofUpsert, 'upsert'),
    ...misplaced({ onDuplicate: operation === 'update' && onDuplicate === 'refuse' }, 'create'),
  ];
}

function misplaced(isGiven: Record<string, boolean>, operation: LeadOperation): FieldProblem[] {
  return Object.keys(isGiven)
    .filter((field) => isGiven[field])
    .map((field) => ({ field, message: `can be used for ${operation} alone` }));
}

@ApiSchema({ name: 'BulkItemError' })
class BulkItemErrorResponse {
  @ApiProperty({ enum: ['validation_error'] }) code!: 'validation_error';
  @ApiProperty({ example: 'email: is required' }) message!: string;
  @ApiProperty({ description: 'The first offending field; empty if no field is to blame.', example: 'email' })
  field!: string;
  @ApiProperty({ type: [FieldProblemResponse], description: 'Every offending field.' })
  details!: readonly FieldProblem[];
}

@ApiSchema({ name: 'BulkItemResult' })
class BulkItemResponse {
  @ApiProperty({ type: 'integer', description: 'The place of the item, from 0.', example: 0 }) index!: number;
  @ApiProperty({ enum: ['created', 'updated', 'unchanged', 'failed'], example: 'created' })
  status!: LeadWritten['status'];
  @ApiProperty({
    type: LeadResponse,
    nullable: true,
    description: 'As it was after this item; null if it failed.',
  })
  lead!: object | null;
  @ApiProperty({ type: BulkItemErrorResponse, nullable: true, description: 'Why it failed.', example: null })
  error!: BulkItemErrorResponse | null;
}

export class BulkLeadsResponse {
  @ApiProperty({ type: 'integer', example: 1 }) created!: number;
  @ApiProperty({ type: 'integer', example: 0 }) updated!: number;
  @ApiProperty({ type: 'integer', description: 'Items that changed nothing.', example: 0 })
  unchanged!: number;
  @ApiProperty({ type: 'integer', example: 0 }) failed!: number;
  @ApiProperty({ type: [BulkItemResponse], description: 'In the order of the items.' })
  results!: BulkItemResponse[];
}

export function toBulkResponse(written: readonly LeadWritten[]): BulkLeadsResponse {
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const results = written.map((result, index) => {
    counts[result.status]++;
    if (result.status !== 'failed') return { index, status: result.status, lead: result.lead, error: null };
    return { index, status: result.status, lead: null, error: toError(result.problems) };
  });
  return { ...counts, results };
}

function toError(details: readonly FieldProblem[]): BulkItemErrorResponse {
  const { field, message } = details[0]!;
  return { code: 'validation_error', message: field ? `${field}: ${message}` : message, field, details };
}
