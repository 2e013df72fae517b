import type { UserId, WorkspaceId } from './ids';
import { MODES, type WorkspaceRef } from './principal';

/** Moves what one module's objects name a member for, such as the owner of leads, when that member leaves. */
export interface HandOver {
  /** For messages: `leads`. */
  readonly name: string;
  /**
   * Moves at most that many objects, in the running unit of work, and appends their events. Whoever takes over may have left
   * as well: their objects then get nobody.
   *
   * @param to null for nobody
   * @returns how many were found, including those that others moved while this waited for their locks; 0 once none is left,
   *   since the membership is deleted then. Without any, no row is locked.
   */
  handOver(ref: WorkspaceRef, from: UserId, to: UserId | null, atMost: number): Promise<number>;
}

/** The hand-overs of all modules. Each adds its own in its module's constructor. */
export class HandOvers {
  private readonly parts: HandOver[] = [];

  add(part: HandOver): void {
    if (this.parts.some(({ name }) => name === part.name)) {
      throw new Error(`The hand-over of ${part.name} is added twice. Rename one of them.`);
    }
    this.parts.push(part);
  }

  /**
   * Moves at most that many objects of one module and mode, since the locks of several in one transaction would be out of
   * order. Resolves to how many; 0 once there are none left anywhere.
   */
  async run(workspaceId: WorkspaceId, from: UserId, to: UserId | null, atMost: number): Promise<number> {
    for (const part of this.parts) {
      for (const mode of MODES) {
        const moved = await part.handOver({ workspaceId, mode }, from, to, atMost);
        if (moved > 0) return moved;
      }
    }
    return 0;
  }
}
