import type { ImportId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';

/** A file that awaits its check. Until the lease ends, no other instance claims it. Each batch of rows extends the lease. */
export interface CheckClaim {
  readonly id: ImportId;
  readonly ref: WorkspaceRef;
  readonly token: string;
  /** Checks of the file that were begun, with this one. */
  readonly attempts: number;
}

/** The lease has ended, and another instance may check the file. */
export class CheckLost extends Error {}

/** A port: the files that await their check, of all workspaces. */
export abstract class CheckQueue {
  /** Claims at most that many files, none of the workspaces of `busy`. Workspaces take turns, whatever number of files each has. */
  abstract claim(atMost: number, busy: readonly CheckClaim[]): Promise<CheckClaim[]>;
  /** Ends leases, so that another instance begins anew at once. */
  abstract release(claims: readonly CheckClaim[]): Promise<void>;
}
