import type { AuditDetail, AuditRecord } from './audit-record';

/**
 * The description of each action, such as `Revoked the API key {target}`. `{target}` is replaced by the target's name, any
 * other name in braces by that detail.
 */
export type AuditActionWords = Readonly<Record<string, string>>;

/** The actions of the audit log. Every module registers its own when the service starts. */
export class AuditActions {
  private readonly words = new Map<string, string>();

  register(actions: AuditActionWords): void {
    for (const [action, words] of Object.entries(actions)) {
      const earlier = this.words.get(action);
      if (earlier !== undefined) {
        throw new Error(
          `The audit action ${action} is registered twice. Both "${earlier}" and "${words}" describe it: rename one.`,
        );
      }
      this.words.set(action, words);
    }
  }

  /** The kinds of objects that actions are about, such as `api_key`, in the order of their registration. */
  kinds(): string[] {
    return [...new Set([...this.words.keys()].map((action) => action.split('.')[0]!))];
  }

  /** The details that the summary of an action tells. */
  told(action: string): ReadonlySet<string> {
    return new Set([...(this.words.get(action) ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name!));
  }

  /** A summary in one line. An action whose module is gone is shown by its name. */
  describe({ action, target, details }: Pick<AuditRecord, 'action' | 'target' | 'details'>): string {
    const words = this.words.get(action) ?? `${action}: {target}`;
    return words.replace(/\{(\w+)\}/g, (_, name: string) =>
      name === 'target' ? target.name : textOf(details[name] ?? null),
    );
  }
}

function textOf(detail: AuditDetail): string {
  return detail === null ? '–' : typeof detail === 'object' ? detail.join(', ') : String(detail);
}
