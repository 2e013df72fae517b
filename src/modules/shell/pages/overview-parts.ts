import { Injectable } from '@nestjs/common';
import type { ComponentChildren } from 'preact';
import type { UserId } from '../../../kernel/ids';
import type { Area } from './area';

export interface OverviewRequest {
  /** In the mode that the visitor was in last. */
  readonly area: Area;
  readonly visitor: UserId;
}

/** A part of the first page of a workspace, usually a `Section`; null when there is nothing to show. */
export interface OverviewPart {
  /** Orders the parts, lowest first. */
  readonly position: number;
  /** Its cost must not grow with what the workspace has. */
  content(request: OverviewRequest): Promise<ComponentChildren>;
}

/** What modules show on the first page of a workspace. Each adds its own in its constructor. */
@Injectable()
export class OverviewParts {
  private readonly parts: OverviewPart[] = [];

  add(part: OverviewPart): void {
    this.parts.push(part);
  }

  /** One part after the other, so that a request takes one connection at a time. */
  async contents(request: OverviewRequest): Promise<ComponentChildren[]> {
    const contents: ComponentChildren[] = [];
    for (const part of this.parts.toSorted((one, other) => one.position - other.position)) {
      contents.push(await part.content(request));
    }
    return contents.filter((content) => content !== null);
  }
}
