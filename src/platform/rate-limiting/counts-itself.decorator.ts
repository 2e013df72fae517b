import { SetMetadata } from '@nestjs/common';

export const COUNTS_ITSELF = 'gala:counts-itself';

/**
 * Marks a public route outside the API that isn't counted per address, because it counts something else, such as failures, or
 * because it is cheap and must always answer.
 */
export const CountsItself = () => SetMetadata(COUNTS_ITSELF, true);
