import { Injectable } from '@nestjs/common';
import type { LeadId } from '../../../kernel/ids';
import type { LeadColumn, LeadView } from '../../leads';
import { type Area, refOf } from '../../shell';
import { ProposalQueries } from '../application/proposal-queries';
import { formatMoney } from './money-format';

/** What a lead's open and accepted proposals amount to, in the list of leads. */
@Injectable()
export class ValueColumn implements LeadColumn {
  readonly title = 'Value';
  readonly numeric = true;

  constructor(private readonly queries: ProposalQueries) {}

  async cells(area: Area, leads: readonly LeadView[]): Promise<ReadonlyMap<LeadId, string>> {
    const values = await this.queries.valuesOf(
      refOf(area),
      leads.map(({ id }) => id),
    );
    const cells = new Map<LeadId, string>();
    for (const { leadId, currency, total } of values) {
      const amount = formatMoney(total, currency, area.workspace.locale);
      cells.set(leadId, [cells.get(leadId), amount].filter(Boolean).join(', '));
    }
    return cells;
  }
}
