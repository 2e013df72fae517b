import { Injectable } from '@nestjs/common';
import type { ComponentChildren } from 'preact';
import type { FormInput } from '../../../platform/pages/form-input';
import type { Area } from '../../shell';
import type { MonthFilter } from '../application/month-queries';

/** A form of a panel that was refused, and is shown again. */
export interface RefusedForm {
  /** The panel's name. */
  readonly panel: string;
  /** What the form is about, of several in the panel. */
  readonly about: string;
  readonly form: FormInput;
}

export interface DayRequest {
  readonly area: Area;
  readonly day: string;
  readonly filter: MonthFilter;
  /** The panel's own. */
  readonly refused?: RefusedForm;
}

/** A part of a day's page. */
export interface DayPanel {
  readonly name: string;
  /** What the page says after a form of the panel was taken, by the `notice` of the address. */
  readonly notices: ReadonlyMap<string, string>;
  /** A button beside the title. */
  action?(request: DayRequest): ComponentChildren;
  /** Usually a `Section`. Its cost must not grow with what the day has. */
  content(request: DayRequest): Promise<ComponentChildren>;
}

/** What other modules show on the pages of days. Each adds its own in its constructor. */
@Injectable()
export class DayPageParts {
  private readonly added: DayPanel[] = [];

  add(panel: DayPanel): void {
    this.added.push(panel);
  }

  panels(): readonly DayPanel[] {
    return this.added;
  }
}
