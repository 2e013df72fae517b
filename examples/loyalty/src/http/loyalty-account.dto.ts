import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Field, fieldRules, PageQuery, PathId, QueryParameter, resourceFields, TIME } from 'gala';
import { type LoyaltyAccountView, MOST_POINTS } from '../domain/loyalty-account';

const MAX_GRANTS = 50;
export const MAX_GUESTS = 100_000;

export const ACCOUNT = new PathId('loy', 'loyalty account');

const ACCOUNT_SORTS = ['-createdAt', 'points', '-points'] as const;

const { field, shown } = resourceFields({
  email: { rule: fieldRules.email, example: 'ana@example.com' },
  points: { rule: fieldRules.integer(1, MOST_POINTS), example: 200 },
});

export class ListAccountsQuery extends PageQuery {
  @QueryParameter({ description: 'Of that client, ignoring case.', example: 'ana@example.com' })
  email?: string;

  @QueryParameter({
    rule: fieldRules.oneOf(ACCOUNT_SORTS),
    default: ACCOUNT_SORTS[0],
    description: '`-` in front: descending.',
  })
  sort?: (typeof ACCOUNT_SORTS)[number];
}

class ReceiptBody {
  @Field({ rule: fieldRules.text(40), presence: 'required', example: 'R-1042' })
  number!: string;
}

export class RedeemBody {
  @Field({ rule: fieldRules.integer(1, MOST_POINTS), presence: 'required', example: 50 })
  points!: number;

  @Field({ rule: fieldRules.object(() => ReceiptBody), presence: 'nullable' })
  receipt?: ReceiptBody | null;
}

class GrantBody {
  @field('email', 'required') email!: string;
  @field('points', 'required') points!: number;
}

export class GrantsBody {
  @Field({ rule: fieldRules.objectList(() => GrantBody, MAX_GRANTS), presence: 'nullable' })
  grants?: GrantBody[] | null;
}

export class EnquireBody {
  @Field({ rule: fieldRules.integer(1, MAX_GUESTS), presence: 'optional', example: 120 })
  guests?: number;

  @Field({ rule: fieldRules.date, presence: 'optional', example: '2027-06-12' })
  eventDate?: string;
}

@ApiSchema({ name: 'LoyaltyAccount' })
export class LoyaltyAccountResponse implements Record<keyof LoyaltyAccountView, unknown> {
  @ApiProperty({ example: ACCOUNT.example }) id!: string;
  @shown('email') email!: string;
  @ApiProperty({ type: 'integer', example: 1300 }) points!: number;
  @ApiProperty(TIME) createdAt!: Date;
  @ApiProperty(TIME) updatedAt!: Date;
}

@ApiSchema({ name: 'LoyaltyPoints' })
export class PointsResponse {
  @ApiProperty({ type: 'integer', example: 1300 }) points!: number;
}

@ApiSchema({ name: 'LoyaltyEnquiry' })
export class EnquiryResponse {
  @ApiProperty({ example: 'lead_01h455vb4pex5vsknk084sn02q' }) leadId!: string;
}
