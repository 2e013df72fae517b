import { LeadsAndApiKeys1795000000000 } from './1795000000000-leads-and-api-keys';

/** In the order in which they run. */
export const migrations = [LeadsAndApiKeys1795000000000];
