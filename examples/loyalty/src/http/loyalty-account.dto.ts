import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  Field,
  type FieldOptions,
  fieldRules,
  NestedField,
  NestedList,
  NotFound,
  PageQuery,
  parameter,
  parseId,
} from 'gala';
import { type LoyaltyAccountId, type LoyaltyAccountView, MOST_POINTS } from '../domain/loyalty-account';

export const EXAMPLE_ID = 'loy_01h455vb4pex5vsknk084sn02q';
const MAX_GRANTS = 50;
export const MAX_GUESTS = 100_000;

export function loyaltyAccountId(text: string): LoyaltyAccountId {
  const id = parseId('loy', text);
  if (!id) throw new NotFound('loyalty account');
  return id;
}

const EMAIL: FieldOptions = {
  rule: fieldRules.email,
  presence: 'required',
  schema: { type: String, format: 'email', maxLength: 254, example: 'ana@example.com' },
};

export class ListAccountsQuery extends PageQuery {
  @Field({
    rule: parameter(() => undefined),
    presence: 'optional',
    schema: { type: String, description: 'Of that client, ignoring case.', example: 'ana@example.com' },
  })
  email?: string;
}

class ReceiptBody {
  @Field({
    rule: fieldRules.text(40),
    presence: 'required',
    schema: { type: String, minLength: 1, maxLength: 40, example: 'R-1042' },
  })
  number!: string;
}

export class RedeemBody {
  @Field({
    rule: fieldRules.integer(1, MOST_POINTS),
    presence: 'required',
    schema: { type: 'integer', minimum: 1, maximum: MOST_POINTS, example: 50 },
  })
  points!: number;

  @NestedField({ type: () => ReceiptBody })
  receipt?: ReceiptBody | null;
}

class GrantBody {
  @Field(EMAIL) email!: string;
  @Field({
    rule: fieldRules.integer(1, MOST_POINTS),
    presence: 'required',
    schema: { type: 'integer', minimum: 1, maximum: MOST_POINTS, example: 200 },
  })
  points!: number;
}

export class GrantsBody {
  @NestedList({ type: () => GrantBody, max: MAX_GRANTS })
  grants?: GrantBody[] | null;
}

export class EnquireBody {
  @Field({
    rule: fieldRules.integer(1, MAX_GUESTS),
    presence: 'optional',
    schema: { type: 'integer', minimum: 1, maximum: MAX_GUESTS, example: 120 },
  })
  guests?: number;

  @Field({
    rule: fieldRules.date,
    presence: 'optional',
    schema: { type: String, format: 'date', example: '2027-06-12' },
  })
  eventDate?: string;
}

@ApiSchema({ name: 'LoyaltyAccount' })
export class LoyaltyAccountResponse implements Record<keyof LoyaltyAccountView, unknown> {
  @ApiProperty({ example: EXAMPLE_ID }) id!: string;
  @ApiProperty({ example: 'ana@example.com' }) email!: string;
  @ApiProperty({ type: 'integer', example: 1300 }) points!: number;
  @ApiProperty({ type: String, format: 'date-time', example: '2027-01-15T09:30:00.000Z' }) createdAt!: Date;
  @ApiProperty({ type: String, format: 'date-time', example: '2027-01-15T09:30:00.000Z' }) updatedAt!: Date;
}

@ApiSchema({ name: 'LoyaltyPoints' })
export class PointsResponse {
  @ApiProperty({ type: 'integer', example: 1300 }) points!: number;
}

@ApiSchema({ name: 'LoyaltyEnquiry' })
export class EnquiryResponse {
  @ApiProperty({ example: 'lead_01h455vb4pex5vsknk084sn02q' }) leadId!: string;
}
