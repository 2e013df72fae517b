import { SetMetadata } from '@nestjs/common';

export const OPTIONAL_BODY = 'gala:optional-body';

/** The route may be called without a body, which then counts as `{}`. */
export const OptionalBody = () => SetMetadata(OPTIONAL_BODY, true);
