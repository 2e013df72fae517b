import type { ComponentChildren } from 'preact';
import type { LeadId } from '../../../kernel/ids';
import type { Area } from '../../shell';
import type { LeadView } from '../domain/lead';
import type { StageView } from '../domain/pipeline-stage';
import type { StageKey } from '../domain/stage';
import type { Owner } from './leads-toolbar';
import type { LeadsView } from './leads-view';

/** What a column of another module shows, by lead. */
export interface ColumnCells {
  readonly title: string;
  readonly numeric?: boolean;
  readonly cells: ReadonlyMap<LeadId, ComponentChildren>;
}

/** The newest leads at a stage, and the number of all that match. */
export interface BoardColumn {
  readonly stage: StageView;
  readonly leads: readonly LeadView[];
  readonly total: number;
}

export interface LeadsPageProps {
  area: Area;
  view: LeadsView;
  stages: readonly StageView[];
  counts: ReadonlyMap<StageKey, number>;
  owners: readonly Owner[];
  columns: readonly ColumnCells[];
  /** A page of the list, or the columns of the board. */
  shown:
    | { list: readonly LeadView[]; total: number; nextCursor: string | null }
    | { board: readonly BoardColumn[] };
  done?: string;
  /** Why leads couldn't be moved. */
  refusal?: string;
}
