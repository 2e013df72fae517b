import { SetMetadata } from '@nestjs/common';

export const REPEATABLE = 'gala:repeatable-form';

/**
 * A form that is handled each time it is sent, outside of a transaction: for handlers that wait for other services, and whose
 * repeat shows the same result anyway. All other forms are handled once, however often they are sent.
 */
export const Repeatable = (): MethodDecorator => SetMetadata(REPEATABLE, true);
