import { SetMetadata } from '@nestjs/common';

export const KNOWN_PARAMETERS = 'gala:known-parameters';

/**
 * The route takes these query parameters and lets others be, for clients that add some to every address (to get past a
 * cache). Only for what no unknown parameter could have narrowed.
 */
export const IgnoresUnknownParameters = (...known: string[]) => SetMetadata(KNOWN_PARAMETERS, known);
