/** What one check found out. */
export interface Finding {
  /** What was looked at: `database`, `tls` and so on. */
  readonly check: string;
  /** A problem keeps the service from working as it should; a warning may do so later, or is meant so. */
  readonly status: 'ok' | 'warning' | 'problem';
  /** What is so. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** Findings of one check. */
export function findingsOf(check: string) {
  return {
    ok: (message: string): Finding => ({ check, status: 'ok', message }),
    warning: (message: string, remedy: string): Finding => ({ check, status: 'warning', message, remedy }),
    problem: (message: string, remedy: string): Finding => ({ check, status: 'problem', message, remedy }),
  };
}
