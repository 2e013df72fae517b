/** Extensions and overrides can't be put together. The message says where the reason is and what to do. */
export class CompositionError extends Error {}
