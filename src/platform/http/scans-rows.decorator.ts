import { SetMetadata } from '@nestjs/common';

export const SCANS_ROWS = 'gala:scans-rows';

/** Marks a list that looks at many rows even for a short answer. */
export const ScansRows = (): MethodDecorator => SetMetadata(SCANS_ROWS, true);
