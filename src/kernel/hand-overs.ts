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
   * @returns how many were moved; 0 once there are none left
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

  /** Moves at most that many objects of both modes. Resolves to how many; 0 once there are none left. */
  async run(workspaceId: WorkspaceId, from: UserId, to: UserId | null, atMost: number): Promise<number> {
    let moved = 0;
    for (const part of this.parts) {
      for (const mode of MODES) {
        if (moved >= atMost) return moved;
        moved += await part.handOver({ workspaceId, mode }, from, to, atMost - moved);
      }
    }
    return moved;
  }
}
