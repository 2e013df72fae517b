import type { Feature } from '../../platform/feature';
import { TimelineModule } from './timeline.module';

/** Other modules add their parts to `TimelineParts`. Its route needs the scope of leads. */
export const timeline: Feature = { module: TimelineModule };
