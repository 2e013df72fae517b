import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import type { Page } from '../../../kernel/page';
import type { Precondition } from '../../../kernel/precondition';
import type { Principal } from '../../../kernel/principal';
import { parseInstant } from '../../../kernel/time';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { IfMatch } from '../../../platform/http/if-match.decorator';
import { OptionalBody } from '../../../platform/http/optional-body.decorator';
import { Describe, DescribeGroup, DescribeList } from '../../../platform/openapi/describe';
import { spaceInput, withoutNulls } from '../../calendar';
import { ChallengeHolds } from '../application/challenge-holds';
import { ChangeHold } from '../application/change-hold';
import { EndHolds } from '../application/end-holds';
import { HoldQueries } from '../application/hold-queries';
import { type HoldInput, PlaceHold } from '../application/place-hold';
import type { HoldView } from '../domain/hold-view';
import {
  ChallengeHoldBody,
  ConfirmHoldBody,
  HOLD,
  HoldResponse,
  LEAD,
  PlaceHoldBody,
  SPACE,
  UpdateHoldBody,
} from './hold.dto';
import { ListHoldsQuery, toHoldList } from './list-holds.query';

const WHEN = '2027-01-16T11:00:00.000Z';
const ENDED = { status: 'released', rank: null, ahead: null, endedAt: WHEN, updatedAt: WHEN, revision: 2 };
const OVER = { field: 'status', message: 'the hold is expired; what has ended stays so: place a new hold' };

@Controller('/v1/holds')
@DescribeGroup({
  name: 'Holds',
  description:
    'Places in the queue for spaces at a time: first option, second option and so on. The first can be confirmed at any time, and nothing else can take its spaces before.',
})
export class HoldsController {
  constructor(
    private readonly placeHold: PlaceHold,
    private readonly changeHold: ChangeHold,
    private readonly endHolds: EndHolds,
    private readonly challengeHolds: ChallengeHolds,
    private readonly queries: HoldQueries,
  ) {}

  @Post()
  @RequireScope('calendar:write')
  @Describe({
    operationId: 'placeHold',
    summary: 'Place a hold',
    description:
      'It gets the last place in the queue of all live holds that overlap it in one of its spaces, set-up and clearing included. A 422 says that an event or a block stands there, or that the queue is full.',
    status: 201,
    request: {
      title: 'Wedding of Ana and Luis',
      startsAt: '2027-06-12T16:00:00.000Z',
      endsAt: '2027-06-13T01:00:00.000Z',
      spaceId: SPACE.example,
      leadId: LEAD.example,
    },
    response: HoldResponse,
    invalid: {
      field: 'spaceId',
      message: `has 5 holds at that time already, and 5 are the most: ${HOLD.example}, …`,
    },
  })
  place(@Caller() caller: Principal, @Body() body: PlaceHoldBody): Promise<HoldView> {
    const { spaceId, spaceIds, ...input } = withoutNulls<PlaceHoldBody>(body);
    const spaces = spaceInput({ spaceId, spaceIds });
    return this.placeHold.execute(caller, { ...input, spaces } as HoldInput);
  }

  @Get()
  @RequireScope('calendar:read')
  @DescribeList({
    operationId: 'listHolds',
    summary: 'List holds',
    description: 'All that match every given filter, in order of time. Ended ones too.',
    item: HoldResponse,
    list: 'HoldList',
  })
  list(@Caller() caller: Principal, @Query() query: ListHoldsQuery): Promise<Page<HoldView>> {
    const { input, request } = toHoldList(query);
    return this.queries.list(caller, input, request);
  }

  @Get(':id')
  @RequireScope('calendar:read')
  @Describe({
    operationId: 'getHold',
    summary: 'Get a hold',
    description: 'With its rank at this moment.',
    object: HOLD,
    response: HoldResponse,
  })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<HoldView> {
    return this.queries.get(caller, HOLD.read(id));
  }

  @Patch(':id')
  @RequireScope('calendar:write')
  @Describe({
    operationId: 'updateHold',
    summary: 'Change a hold',
    description:
      'Changes the given fields alone. Another period or other spaces mean a new place at the end of the queue, unless they are a part of the former ones.',
    object: HOLD,
    request: { expiresAt: '2027-02-12' },
    response: HoldResponse,
    answer: { expiresAt: '2027-02-12T23:00:00.000Z', updatedAt: WHEN, revision: 2 },
    invalid: OVER,
  })
  update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { spaceId, spaceIds, ...changes }: UpdateHoldBody,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<HoldView> {
    const spaces = spaceInput({ spaceId, spaceIds });
    return this.changeHold.execute(caller, HOLD.read(id), { ...changes, spaces }, seen);
  }

  @Post(':id/confirm')
  @HttpCode(200)
  @OptionalBody()
  @RequireScope('calendar:write')
  @Describe({
    operationId: 'confirmHold',
    summary: 'Confirm a hold',
    description:
      'Its calendar event becomes an `event` and takes the spaces. All holds that overlap it end as `outbooked`, the others of its group as `group_confirmed`. Only the first in the queue can be confirmed, unless `overHolds` is true.',
    object: HOLD,
    request: {},
    response: HoldResponse,
    answer: { ...ENDED, status: 'confirmed' },
    invalid: {
      field: 'rank',
      message: `others are ahead: ${HOLD.example}. Challenge them, or send overHolds: true to end them`,
    },
  })
  confirm(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { overHolds = false }: ConfirmHoldBody,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<HoldView> {
    return this.endHolds.confirm(caller, HOLD.read(id), overHolds, seen);
  }

  @Post(':id/release')
  @HttpCode(200)
  @RequireScope('calendar:write')
  @Describe({
    operationId: 'releaseHold',
    summary: 'Release a hold',
    description: 'It ends, and those behind it move up. Released again, it is left as it is.',
    object: HOLD,
    response: HoldResponse,
    answer: { ...ENDED, endedReason: 'released' },
    invalid: OVER,
  })
  release(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<HoldView> {
    return this.endHolds.release(caller, HOLD.read(id), seen);
  }

  @Post(':id/challenge')
  @HttpCode(200)
  @OptionalBody()
  @RequireScope('calendar:write')
  @Describe({
    operationId: 'challengeHolds',
    summary: 'Challenge the holds ahead',
    description:
      'Each hold ahead has to be confirmed or released by the deadline, or it ends. When none is ahead any more, this one has to be confirmed within the time that the policy gives.',
    object: HOLD,
    request: { deadline: '2027-01-17T09:30:00.000Z' },
    response: HoldResponse,
    answer: {
      rank: 2,
      ahead: [HOLD.example],
      challengeDeadline: '2027-01-17T09:30:00.000Z',
      updatedAt: WHEN,
      revision: 2,
    },
    invalid: { field: 'rank', message: 'nobody is ahead of it: confirm it' },
  })
  challenge(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { deadline }: ChallengeHoldBody,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<HoldView> {
    const instant = deadline ? parseInstant(deadline) : undefined;
    return this.challengeHolds.challenge(caller, HOLD.read(id), instant, seen);
  }

  @Post(':id/withdraw-challenge')
  @HttpCode(200)
  @RequireScope('calendar:write')
  @Describe({
    operationId: 'withdrawChallenge',
    summary: 'Withdraw a challenge',
    description: 'The holds ahead no longer have to answer this one.',
    object: HOLD,
    response: HoldResponse,
    answer: { rank: 2, ahead: [HOLD.example], updatedAt: WHEN, revision: 3 },
    invalid: { field: 'status', message: 'it challenges nobody' },
  })
  withdraw(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<HoldView> {
    return this.challengeHolds.withdraw(caller, HOLD.read(id), seen);
  }
}
