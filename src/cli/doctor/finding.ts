/** The result of a check. */
export interface Finding {
  /** The area that was checked: `database`, `tls` and so on. */
  readonly check: string;
  /** A problem prevents correct operation. A warning may become a problem later, or may be intended. */
  readonly status: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** How to fix it. */
  readonly remedy?: string;
}

/** Creates the findings of one check. */
export function findingsOf(check: string) {
  return {
    ok: (message: string): Finding => ({ check, status: 'ok', message }),
    warning: (message: string, remedy: string): Finding => ({ check, status: 'warning', message, remedy }),
    problem: (message: string, remedy: string): Finding => ({ check, status: 'problem', message, remedy }),
  };
}
