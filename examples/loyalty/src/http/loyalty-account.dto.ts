import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Field, fieldRules, NotFound, parseId } from 'gala';
import type { LoyaltyAccountId, LoyaltyAccountView } from '../domain/loyalty-account';

export const EXAMPLE_ID = 'loy_01h455vb4pex5vsknk084sn02q';
export const MAX_POINTS = 1_000_000;

export function loyaltyAccountId(text: string): LoyaltyAccountId {
  const id = parseId('loy', text);
  if (!id) throw new NotFound('loyalty account');
  return id;
}

export class RedeemBody {
  @Field({
    rule: fieldRules.integer(1, MAX_POINTS),
    presence: 'required',
    schema: { type: 'integer', minimum: 1, maximum: MAX_POINTS, example: 50 },
  })
  points!: number;
}

@ApiSchema({ name: 'LoyaltyAccount' })
export class LoyaltyAccountResponse implements Record<keyof LoyaltyAccountView, unknown> {
  @ApiProperty({ example: EXAMPLE_ID }) id!: string;
  @ApiProperty({ example: 'ana@example.com' }) email!: string;
  @ApiProperty({ type: 'integer', example: 1300 }) points!: number;
  @ApiProperty({ type: String, format: 'date-time', example: '2027-01-15T09:30:00.000Z' }) createdAt!: Date;
  @ApiProperty({ type: String, format: 'date-time', example: '2027-01-15T09:30:00.000Z' }) updatedAt!: Date;
}
