import { SetMetadata } from '@nestjs/common';

export const WAITS_AT_ITS_END = 'gala:waits-at-its-end';

/**
 * The route does little, and then waits until no instance goes by what was before. Its requests stand in line for a turn, and
 * hold none: others would wait with them.
 */
export const WaitsAtItsEnd = (): MethodDecorator => SetMetadata(WAITS_AT_ITS_END, true);
