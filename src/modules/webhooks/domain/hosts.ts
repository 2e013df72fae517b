/** Within one workspace and mode. */
export const MAX_ENDPOINTS_PER_HOST = 20;

/** Compares the port too: another port may belong to somebody else. */
export function isSameHost(one: string, other: string): boolean {
  return new URL(one).host === new URL(other).host;
}

/** The number of addresses on the same machine, whatever their port. */
export function countOnHost(url: string, others: readonly string[]): number {
  const hostname = hostnameOf(url);
  return others.filter((other) => hostnameOf(other) === hostname).length;
}

/** Without the root's dot at the end, which makes no difference. */
function hostnameOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}
