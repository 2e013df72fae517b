import { Injectable } from '@nestjs/common';
import type { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage } from '../../../platform/pages/page-answer';
import { type Area, refOf } from '../../shell';
import { ManageLostReasons } from '../application/manage-lost-reasons';
import { PipelineQueries } from '../application/pipeline-queries';
import { type StageForms, StagesPage } from './stages-page';

const REASONS = {
  page: 1,
  limit: 100,
  sort: { field: 'name', descending: false },
  fingerprint: '',
} as const;

/** Puts the page of stages and lost reasons together, which the forms of both come back to. */
@Injectable()
export class StagesOverview {
  constructor(
    private readonly queries: PipelineQueries,
    private readonly reasons: ManageLostReasons,
  ) {}

  async page(area: Area, { notice, forms = {} }: { notice?: string; forms?: StageForms }): Promise<HtmlPage> {
    const ref = refOf(area);
    const [shown, archived] = [
      await this.reasons.list(ref, { archived: 'false' }, REASONS),
      await this.reasons.list(ref, { archived: 'true' }, REASONS),
    ];
    const isFaulty = Object.values<FormInput | undefined>({ ...forms }).some((form) => form?.isFaulty);
    return new HtmlPage(
      <StagesPage
        area={area}
        stages={await this.queries.stages(ref)}
        automations={await this.queries.automations(ref)}
        reasons={[...shown.data, ...archived.data]}
        forms={forms}
        notice={notice}
      />,
      isFaulty ? 422 : 200,
    );
  }
}
