import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { LeadId } from '../../../kernel/ids';
import { Check } from '../../../platform/http/check';
import { Field, resourceFields } from '../../../platform/http/field';
import {
  date,
  decimal,
  idOf,
  integer,
  object,
  objectList,
  oneOf,
  rule,
  text,
} from '../../../platform/http/field-rules';
import { exampleId, PathId } from '../../../platform/http/path-id';
import { REVISION, TIME, TIME_OR_NULL } from '../../../platform/openapi/common-responses';
import type { ProposalView } from '../application/proposal-views';
import { depositProblems, termsProblems } from '../domain/deposit';
import { MAX_AMOUNT, MAX_LINE_ITEMS, MAX_QUANTITY, type Unit, UNITS } from '../domain/line-item';
import { CURRENCY_CODES } from '../domain/money';
import { MAX_GROUP } from '../domain/presentation';
import { type ProposalStatus, STATUSES } from '../domain/proposal';
import {
  ContactResponse,
  PreparedForResponse,
  PresentationBody,
  SectionResponse,
  shownPresentation,
} from './presentation.dto';

export const PROPOSAL = new PathId('prop', 'proposal');

const currencyRule = rule({ type: 'string', pattern: '^[A-Z]{3}$' }, (value) =>
  typeof value === 'string' && CURRENCY_CODES.includes(value)
    ? undefined
    : 'must be an ISO 4217 code such as EUR',
);

const nothing = { nullable: true, example: null } as const;

const { field, shown } = resourceFields({
  leadId: { rule: idOf('lead'), description: 'To whom it is offered.', example: exampleId('lead') },
  title: { rule: text(200), example: 'Garden wedding' },
  currency: {
    rule: currencyRule,
    description: 'ISO 4217. The workspace’s when absent. All amounts are integers in its minor unit.',
    example: 'EUR',
  },
  notes: {
    rule: text(10_000),
    description: 'Shown to the client below the lines: terms, for instance. Plain text.',
    example: 'Final numbers by 1 June.',
  },
  validUntil: {
    rule: date,
    description: 'The last day on which it can be accepted, in the workspace’s time zone.',
    example: '2027-02-15',
  },
  description: { rule: text(500), example: 'Dinner, three courses' },
  quantity: {
    rule: decimal(0, MAX_QUANTITY, 3),
    description: 'At most three decimals. When absent: the lead’s guests for `per_guest`, otherwise 1.',
    example: 120,
  },
  unit: { rule: oneOf(UNITS), example: 'per_guest' },
  unitAmount: {
    rule: integer(-MAX_AMOUNT, MAX_AMOUNT),
    description: 'In the currency’s minor unit, without tax. Below zero for a discount.',
    example: 8500,
  },
  taxRate: {
    rule: decimal(0, 100, 3),
    description: 'In percent, with at most three decimals. 0 when absent.',
    example: 10,
  },
  group: {
    rule: text(MAX_GROUP),
    description: 'A heading, such as “Catering”: the client’s page shows lines with the same one together.',
    example: 'Catering',
  },
  amount: {
    rule: integer(0, Number.MAX_SAFE_INTEGER),
    description: 'In the currency’s minor unit; at most the total.',
  },
  percent: { rule: decimal(0, 100, 3), description: 'Of the total.', example: 30 },
  dueDate: { rule: date, example: '2027-02-28' },
});

const shownAmount = (description: string, example: number) =>
  ApiProperty({ type: 'integer', description, example });
const shownInstant = (description: string) => ApiProperty({ ...TIME_OR_NULL, description });

@ApiSchema({ name: 'LineItemInput' })
class LineItemBody {
  @field('description', 'required') description!: string;
  @field('unit', 'required') unit!: Unit;
  @field('unitAmount', 'required') unitAmount!: number;
  @field('quantity', 'nullable') quantity?: number | null;
  @field('taxRate', 'nullable') taxRate?: number | null;
  @field('group', 'nullable') group?: string | null;
}

@Check<DepositBody>({
  fields: ['amount', 'percent'],
  problems: depositProblems,
  schema: {
    oneOf: [
      { required: ['amount'], properties: { amount: { type: 'integer' } } },
      { required: ['percent'], properties: { percent: { type: 'number' } } },
    ],
  },
})
@ApiSchema({ name: 'DepositInput', description: 'Exactly one of `amount` and `percent`.' })
class DepositBody {
  @field('amount', 'nullable') amount?: number | null;
  @field('percent', 'nullable') percent?: number | null;
  @field('dueDate', 'nullable') dueDate?: string | null;
}

const lineItems = Field({ rule: objectList(() => LineItemBody, MAX_LINE_ITEMS), presence: 'nullable' });
const deposit = Field({ rule: object(() => DepositBody), presence: 'nullable' });
@Check<CreateProposalBody>({
  fields: ['lineItems', 'deposit'],
  problems: ({ lineItems, deposit }) => termsProblems(lineItems ?? [], deposit),
})
export class CreateProposalBody extends PresentationBody {
  @field('leadId', 'required') leadId!: LeadId;
  @field('title', 'required') title!: string;
  @field('currency', 'nullable') currency?: string | null;
  @lineItems lineItems?: LineItemBody[] | null;
  @deposit deposit?: DepositBody | null;
  @field('notes', 'nullable') notes?: string | null;
  @field('validUntil', 'nullable') validUntil?: string | null;
}

@Check<UpdateProposalBody>({
  fields: ['lineItems', 'deposit'],
  problems: ({ lineItems, deposit }) =>
    lineItems === undefined ? [] : termsProblems(lineItems ?? [], deposit),
})
export class UpdateProposalBody extends PresentationBody {
  @field('title', 'optional') title?: string;
  @field('currency', 'optional') currency?: string;
  @lineItems lineItems?: LineItemBody[] | null;
  @deposit deposit?: DepositBody | null;
  @field('notes', 'nullable') notes?: string | null;
  @field('validUntil', 'nullable') validUntil?: string | null;
}

@ApiSchema({ name: 'LineItem' })
class LineItemResponse {
  @shown('description') description!: string;
  @shown('quantity') quantity!: number;
  @shown('unit') unit!: Unit;
  @shown('unitAmount') unitAmount!: number;
  @shown('taxRate') taxRate!: number;
  @shown('group', { nullable: true }) group!: string | null;
  @shownAmount('`quantity` times `unitAmount`, rounded half away from zero.', 1_020_000) amount!: number;
  @shownAmount('The tax on `amount`, rounded half away from zero.', 102_000) taxAmount!: number;
}

@ApiSchema({ name: 'Deposit' })
class DepositResponse {
  @shown('amount', { maximum: undefined, example: 336_600 }) amount!: number;
  @shown('percent', { nullable: true }) percent!: number | null;
  @shown('dueDate', { nullable: true }) dueDate!: string | null;
}

@ApiSchema({ name: 'Acceptance', description: 'Who accepted, kept as evidence.' })
class AcceptanceResponse {
  @ApiProperty({ description: 'As typed.', example: 'Ana Pérez' }) name!: string;
  @ApiProperty({ description: 'The client’s network address.', example: '203.0.113.7' }) address!: string;
  @ApiProperty({ type: String, nullable: true, description: 'What the browser calls itself.' })
  userAgent!: string | null;
}

@ApiSchema({ name: 'Proposal' })
export class ProposalResponse implements Record<keyof ProposalView, unknown> {
  @ApiProperty({ example: PROPOSAL.example }) id!: string;
  @shown('leadId') leadId!: string;
  @ApiProperty({
    type: 'integer',
    description: 'Counted per workspace and mode, without gaps. All versions share it.',
    example: 12,
  })
  number!: number;
  @ApiProperty({ type: 'integer', example: 1 }) version!: number;
  @ApiProperty({ type: String, ...nothing, description: 'The proposal that this one is another version of.' })
  previousVersionId!: string | null;
  @shown('title') title!: string;
  @ApiProperty({ enum: [...STATUSES], example: 'draft' }) status!: ProposalStatus;
  @shown('currency', { description: 'ISO 4217.' }) currency!: string;
  @ApiProperty({ type: [LineItemResponse] }) lineItems!: LineItemResponse[];
  @shownAmount('The lines’ amounts together.', 1_020_000) subtotal!: number;
  @shownAmount('The lines’ taxes together.', 102_000) taxTotal!: number;
  @shownAmount('`subtotal` and `taxTotal` together.', 1_122_000) total!: number;
  @ApiProperty({ type: DepositResponse, nullable: true }) deposit!: DepositResponse | null;
  @shown('notes', { nullable: true }) notes!: string | null;
  @shownPresentation('message', { nullable: true }) message!: string | null;
  @ApiProperty({ type: [SectionResponse] }) sections!: SectionResponse[];
  @shownPresentation('coverImage', { nullable: true }) coverImage!: string | null;
  @shownPresentation('terms', { nullable: true }) terms!: string | null;
  @ApiProperty({ type: ContactResponse, nullable: true }) contact!: ContactResponse | null;
  @ApiProperty({ type: PreparedForResponse, nullable: true, example: null })
  preparedFor!: PreparedForResponse | null;
  @shown('validUntil', { nullable: true }) validUntil!: string | null;
  @ApiProperty({
    type: String,
    format: 'uri',
    ...nothing,
    description:
      'Where the client reads and answers it, without an account. Whoever has it can. Set once sent.',
  })
  publicUrl!: string | null;
  @shownInstant('When it was sent.') sentAt!: Date | null;
  @shownInstant('When it was first looked at.') viewedAt!: Date | null;
  @shownInstant('When the client accepted.') acceptedAt!: Date | null;
  @shownInstant('When the client declined.') declinedAt!: Date | null;
  @shownInstant('When its time was over.') expiredAt!: Date | null;
  @shownInstant('When it was taken back.') withdrawnAt!: Date | null;
  @ApiProperty({ type: AcceptanceResponse, ...nothing }) acceptance!: AcceptanceResponse | null;
  @ApiProperty({ type: String, ...nothing, description: 'What the client gave as the reason, if anything.' })
  declineReason!: string | null;
  @shownInstant('Set while it is archived.') archivedAt!: Date | null;
  @ApiProperty(TIME) createdAt!: Date;
  @ApiProperty(TIME) updatedAt!: Date;
  @ApiProperty(REVISION) revision!: number;
}
