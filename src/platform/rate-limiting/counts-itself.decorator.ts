import { SetMetadata } from '@nestjs/common';

export const COUNTS_ITSELF = 'gala:counts-itself';

/**
 * A route outside the API that anyone may call, and that isn't counted by its address before it is worked on: because it
 * counts something else, such as failures, or because it costs nothing and must always answer.
 */
export const CountsItself = () => SetMetadata(COUNTS_ITSELF, true);
