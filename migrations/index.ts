import { LeadsAndApiKeys1795000000000 } from './1795000000000-leads-and-api-keys';
import { People1796000000000 } from './1796000000000-people';
import { OAuth1797000000000 } from './1797000000000-oauth';

/** In the order in which they run. */
export const migrations = [LeadsAndApiKeys1795000000000, People1796000000000, OAuth1797000000000];
