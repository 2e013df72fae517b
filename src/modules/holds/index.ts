import { readableWith } from '../../kernel/event-types';
import type { Feature } from '../../platform/feature';
import { HoldsModule } from './holds.module';
import { HoldResponse } from './http/hold.dto';
import { HoldSchema } from './infrastructure/hold.schema';

export { AdoptHolds, type Adoption, MAX_ADOPTED } from './application/adopt-holds';

export const holds: Feature = {
  module: HoldsModule,
  schemas: [HoldSchema],
  events: readableWith(
    'calendar:read',
    {
      'hold.placed': 'A hold was placed',
      'hold.updated': 'A hold was changed, or it challenges others',
      'hold.promoted': 'A hold moved up in the queue',
      'hold.demoted': 'A hold moved down in the queue, because its time or spaces changed',
      'hold.expiring': 'A hold is about to end unless somebody acts',
      'hold.challenged': 'A hold has to be confirmed or released, because another one challenges it',
      'hold.challenge_withdrawn': 'A challenge of a hold ended',
      'hold.confirmed': 'A hold became an event',
      'hold.released': 'A hold was released, or something else took its place',
      'hold.expired': 'A hold ended because its time was over',
    },
    {},
    HoldResponse,
  ),
};
