const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a URL's host name always means the machine that resolves it. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}
