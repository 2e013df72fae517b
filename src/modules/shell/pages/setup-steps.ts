import { Injectable } from '@nestjs/common';
import type { WorkspaceId } from '../../../kernel/ids';
import type { Path } from '../../../platform/pages/components/link';
import type { Area } from './area';

/** A step of setting up a workspace, which ticks itself once it is done in either mode. */
export interface SetupStep {
  /** Orders the steps, lowest first. */
  readonly position: number;
  /** What to do, in the imperative. */
  readonly label: string;
  /** Why, or who can do it. Shown until it is done. */
  readonly hint: string;
  /** Where it is done. Null when no page does it. */
  path(area: Area): Path | null;
  /** Its cost must not grow with what the workspace has. */
  isDone(workspaceId: WorkspaceId): Promise<boolean>;
}

export interface SetupStepState {
  readonly step: SetupStep;
  readonly isDone: boolean;
}

/** The checklist on the first page of a workspace. Each module adds its own steps in its constructor. */
@Injectable()
export class SetupSteps {
  private readonly steps: SetupStep[] = [];

  add(step: SetupStep): void {
    this.steps.push(step);
  }

  /** In the order of their positions. */
  async states(workspaceId: WorkspaceId): Promise<SetupStepState[]> {
    const states: SetupStepState[] = [];
    for (const step of this.steps.toSorted((one, other) => one.position - other.position)) {
      states.push({ step, isDone: await step.isDone(workspaceId) });
    }
    return states;
  }
}
