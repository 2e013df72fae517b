const OWN_MACHINE = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a host name of a URL leads nowhere but to the machine that asks. */
export function isOwnMachine(hostname: string): boolean {
  return OWN_MACHINE.test(hostname);
}
