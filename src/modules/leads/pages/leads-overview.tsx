import { Injectable } from '@nestjs/common';
import type { UserId } from '../../../kernel/ids';
import { HtmlPage } from '../../../platform/pages/page-answer';
import { type Area, refOf } from '../../shell';
import { Members } from '../../workspaces';
import { LeadQueries } from '../application/lead-queries';
import { PipelineQueries } from '../application/pipeline-queries';
import type { LeadView } from '../domain/lead';
import type { StageView } from '../domain/pipeline-stage';
import type { StageKey } from '../domain/stage';
import { LeadPageParts } from './lead-page-parts';
import { LeadsPage } from './leads-page';
import type { ColumnCells, LeadsPageProps } from './leads-page-props';
import { LeadsView } from './leads-view';

const NOTICES = new Map([['moved', 'Moved.']]);

interface Told {
  notice?: string;
  refusal?: string;
}

/** Puts the page of all leads together. */
@Injectable()
export class LeadsOverview {
  constructor(
    private readonly queries: LeadQueries,
    private readonly pipelines: PipelineQueries,
    private readonly members: Members,
    private readonly parts: LeadPageParts,
  ) {}

  async page(
    area: Area,
    visitor: UserId,
    asked: LeadsView,
    { notice = '', refusal }: Told = {},
  ): Promise<HtmlPage> {
    const ref = refOf(area);
    const all = await this.pipelines.stages(ref);
    const stages = all.filter(({ archivedAt, leads }) => !archivedAt || leads > 0);
    const view = asked.knowing(all.map(({ key }) => key));
    const counts = await this.queries.countByStage(ref);
    const { members } = await this.members.list(area.workspace.id);
    const shown = view.isBoard
      ? { board: await this.board(area, visitor, view, stages, counts) }
      : await this.list(area, visitor, view);
    const leads = 'board' in shown ? shown.board.flatMap((column) => column.leads) : shown.list;
    const props: LeadsPageProps = {
      area,
      view,
      stages,
      counts,
      owners: members,
      columns: await this.cells(area, view, leads),
      shown,
      done: NOTICES.get(notice),
      refusal,
    };
    return new HtmlPage(<LeadsPage {...props} />, refusal ? 422 : 200);
  }

  private async list(
    area: Area,
    visitor: UserId,
    view: LeadsView,
  ): Promise<LeadsPageProps['shown'] & { list: readonly LeadView[] }> {
    const filter = view.filter(visitor);
    const { data, pagination } = await this.queries.list(refOf(area), filter, view.request(filter));
    return { list: data, total: pagination.total, nextCursor: pagination.nextCursor };
  }

  /** One column after the other, so that a request takes one connection at a time. */
  private async board(
    area: Area,
    visitor: UserId,
    view: LeadsView,
    stages: readonly StageView[],
    counts: ReadonlyMap<StageKey, number>,
  ) {
    const board = [];
    const shown = stages.filter(
      ({ key, isHidden, archivedAt }) => !(isHidden || archivedAt) || counts.get(key),
    );
    const request = LeadsView.columnRequest(shown.length);
    for (const stage of shown) {
      const filter = { ...view.filter(visitor), stage: stage.key };
      const { data, pagination } = await this.queries.list(refOf(area), filter, request);
      board.push({ stage, leads: data, total: pagination.total });
    }
    return board;
  }

  private async cells(area: Area, view: LeadsView, leads: readonly LeadView[]): Promise<ColumnCells[]> {
    const columns: ColumnCells[] = [];
    for (const column of this.parts.columns()) {
      if (view.isBoard && column.isForLists) continue;
      const cells = leads.length > 0 ? await column.cells(area, leads) : new Map<never, never>();
      columns.push({ title: column.title, numeric: column.numeric, cells });
    }
    return columns;
  }
}
