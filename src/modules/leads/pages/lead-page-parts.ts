import { Injectable } from '@nestjs/common';
import type { ComponentChildren } from 'preact';
import type { LeadId } from '../../../kernel/ids';
import type { FormInput } from '../../../platform/pages/form-input';
import type { Area } from '../../shell';
import type { LeadView } from '../domain/lead';

/** A column of the list of leads, and a line on the cards of the board unless it is for lists alone. */
export interface LeadColumn {
  readonly title: string;
  readonly numeric?: boolean;
  readonly isForLists?: boolean;
  /** What it shows of a page of leads, at most 100, by their ids. Leads that are absent have nothing there. */
  cells(area: Area, leads: readonly LeadView[]): Promise<ReadonlyMap<LeadId, ComponentChildren>>;
}

/** What a panel is asked to show. */
export interface PanelRequest {
  readonly area: Area;
  readonly lead: LeadView;
  /** Its own form as it was sent and refused, otherwise an empty one. */
  readonly form: FormInput;
  /** A parameter of the page’s address; blank when it isn’t there. */
  readonly query: (name: string) => string;
}

/** A part of a lead's page. */
export interface LeadPanel {
  /** Also of its form in `LeadPage.show`. */
  readonly name: string;
  /** The middle has what happened, the side what belongs to the lead. */
  readonly place: 'middle' | 'side';
  /** Orders the panels of a place, lowest first. */
  readonly position: number;
  /** Usually a `Section`. Its cost must not grow with what the lead has: show the latest, and link to the rest. */
  content(request: PanelRequest): Promise<ComponentChildren>;
}

/** What modules show on the pages of leads. Each adds its own in its constructor. */
@Injectable()
export class LeadPageParts {
  private readonly addedColumns: LeadColumn[] = [];
  private readonly addedPanels: LeadPanel[] = [];

  addColumn(column: LeadColumn): void {
    if (this.addedColumns.some(({ title }) => title === column.title)) {
      throw new Error(`The column ${column.title} is added to the leads twice. Give each its own title.`);
    }
    this.addedColumns.push(column);
  }

  addPanel(panel: LeadPanel): void {
    if (this.addedPanels.some(({ name }) => name === panel.name)) {
      throw new Error(
        `The panel ${panel.name} is added to the pages of leads twice. Give each its own name.`,
      );
    }
    this.addedPanels.push(panel);
  }

  columns(): readonly LeadColumn[] {
    return this.addedColumns;
  }

  panels(place: LeadPanel['place']): readonly LeadPanel[] {
    return this.addedPanels
      .filter((panel) => panel.place === place)
      .sort((one, other) => one.position - other.position);
  }
}
