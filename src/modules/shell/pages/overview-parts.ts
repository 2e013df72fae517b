import { Injectable } from '@nestjs/common';
import type { ComponentChildren } from 'preact';
import type { UserId } from '../../../kernel/ids';
import type { Area } from './area';

export interface OverviewRequest {
  /** In the mode that the visitor was in last. */
  readonly area: Area;
  readonly visitor: UserId;
}

/** From top to bottom: what needs attention, numbers, and lists. */
export const OVERVIEW_PLACES = ['notice', 'figure', 'list'] as const;
export type OverviewPlace = (typeof OVERVIEW_PLACES)[number];

/** A part of the first page of a workspace, usually a `Section`; null when there is nothing to show. */
export interface OverviewPart {
  /** `list` when absent. */
  readonly place?: OverviewPlace;
  /** Orders the parts of a place, lowest first. */
  readonly position: number;
  /** Its cost must not grow with what the workspace has. */
  content(request: OverviewRequest): Promise<ComponentChildren>;
}

export type OverviewContents = Record<OverviewPlace, ComponentChildren[]>;

/** What modules show on the first page of a workspace. Each adds its own in its constructor. */
@Injectable()
export class OverviewParts {
  private readonly parts: OverviewPart[] = [];

  add(...parts: OverviewPart[]): void {
    this.parts.push(...parts);
  }

  /** One part after the other, so that a request takes one connection at a time. */
  async contents(request: OverviewRequest): Promise<OverviewContents> {
    const contents: OverviewContents = { notice: [], figure: [], list: [] };
    for (const part of this.parts.toSorted((one, other) => one.position - other.position)) {
      const content = await part.content(request);
      if (content !== null) contents[part.place ?? 'list'].push(content);
    }
    return contents;
  }
}
