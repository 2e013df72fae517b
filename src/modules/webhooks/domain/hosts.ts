/** Of one workspace and mode. */
export const MAX_ENDPOINTS_PER_HOST = 20;

/** A port of its own may be somebody else's. */
export function isSameHost(one: string, other: string): boolean {
  return new URL(one).host === new URL(other).host;
}

/** How many of these addresses lead to the same machine, whatever the port. */
export function countOnHost(url: string, others: readonly string[]): number {
  const hostname = hostnameOf(url);
  return others.filter((other) => hostnameOf(other) === hostname).length;
}

/** The root's dot at the end of a name leads to the same machine. */
function hostnameOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}
