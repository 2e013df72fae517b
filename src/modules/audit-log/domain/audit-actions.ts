import type { AuditDetail, AuditRecord } from './audit-record';

/**
 * What each action is called in plain words, such as `Revoked the API key {target}`: `{target}` stands for the
 * target's name, any other name in braces for that detail.
 */
export type AuditActionWords = Readonly<Record<string, string>>;

/** The actions that the log may tell of. Every module adds its own when the service starts. */
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

  /** One line for people. The log outlives modules: an action that none knows any more is told by its name. */
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
