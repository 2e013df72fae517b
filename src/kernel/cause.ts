/**
 * Who or what causes events:
 *
 * - `api_key`, `oauth`: a credential of the API.
 * - `user`: a signed-in person, on a page.
 * - `client`: a lead, on the page of a proposal or by a chat message.
 * - `import`: an import.
 * - `system`: a background job, a channel's report, or the command line.
 */
export const CAUSE_TYPES = ['api_key', 'oauth', 'user', 'client', 'import', 'system'] as const;
export type CauseType = (typeof CAUSE_TYPES)[number];

export interface Cause {
  readonly type: CauseType;
  /** The key's, the installation's, the person's, the lead's or the import's; null when there is none or it isn't known. */
  readonly id: string | null;
}
