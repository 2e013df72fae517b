import { Controller, Get, Query } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Describe, DescribeGroup, fieldRules, Public, QueryParameter, RequireCredential } from 'gala';
import {
  POINTS_PER_BOOKING,
  POINTS_PER_GUEST,
  pointsFor,
  YEARS_UNTIL_EXPIRY,
} from '../domain/loyalty-account';
import { MAX_GUESTS, PointsResponse } from './loyalty-account.dto';

@ApiSchema({ name: 'LoyaltyProgramme' })
class ProgrammeResponse {
  @ApiProperty({ type: 'integer', example: POINTS_PER_BOOKING }) pointsPerBooking!: number;
  @ApiProperty({ type: 'integer', example: POINTS_PER_GUEST }) pointsPerGuest!: number;
  @ApiProperty({ type: 'integer', example: YEARS_UNTIL_EXPIRY }) yearsUntilExpiry!: number;
}

const guests = fieldRules.integer(0, MAX_GUESTS);

class EstimateQuery {
  @QueryParameter({
    rule: fieldRules.rule(guests.schema, (value) => guests(Number(value))),
    presence: 'required',
    example: 120,
  })
  guests!: string;
}

@Controller('/v1/loyalty-programme')
@DescribeGroup({ name: 'Loyalty', description: 'Points that clients earn with what they book.' })
export class LoyaltyProgrammeController {
  @Get()
  @Public()
  @Describe({
    operationId: 'getLoyaltyProgramme',
    summary: 'Get the terms of the programme',
    description: 'For the company’s website.',
    response: ProgrammeResponse,
  })
  terms(): ProgrammeResponse {
    return {
      pointsPerBooking: POINTS_PER_BOOKING,
      pointsPerGuest: POINTS_PER_GUEST,
      yearsUntilExpiry: YEARS_UNTIL_EXPIRY,
    };
  }

  @Get('estimate')
  @RequireCredential()
  @Describe({
    operationId: 'estimateLoyaltyPoints',
    summary: 'Say what a booking would earn',
    response: PointsResponse,
    invalid: { field: 'guests', message: 'is required' },
  })
  estimate(@Query() { guests }: EstimateQuery): PointsResponse {
    return { points: pointsFor(Number(guests)) };
  }
}
