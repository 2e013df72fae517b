import { SetMetadata } from '@nestjs/common';

export const SCANS_ROWS = 'gala:scans-rows';

/** Marks a route that reads or writes many rows even for a short request or answer. */
export const ScansRows = (): MethodDecorator => SetMetadata(SCANS_ROWS, true);
