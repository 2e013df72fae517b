import { Injectable } from '@nestjs/common';
import { entityTag } from '../../../kernel/precondition';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage } from '../../../platform/pages/page-answer';
import { type Area, refOf } from '../../shell';
import { Members } from '../../workspaces';
import { CustomFieldReader } from '../application/custom-field-reader';
import { LeadCheck } from '../application/lead-check';
import { ManageLostReasons } from '../application/manage-lost-reasons';
import { PipelineQueries } from '../application/pipeline-queries';
import type { LeadFields, LeadView } from '../domain/lead';
import type { LeadFormChoices } from './lead-fields';
import { LeadFormPage } from './lead-form';
import { jsonOf, valuesOf } from './lead-input';
import { leadPath, leadsPath } from './lead-paths';

const ALL_REASONS = { page: 1, limit: 100, sort: { field: 'name', descending: false }, fingerprint: '' };
const STALE =
  'somebody else has changed this lead since you opened the form; what you typed is kept: compare it with the lead’s page, then save again';

/** The forms in which people add and edit leads. */
@Injectable()
export class LeadForms {
  constructor(
    private readonly customFields: CustomFieldReader,
    private readonly leadCheck: LeadCheck,
    private readonly reasons: ManageLostReasons,
    private readonly pipelines: PipelineQueries,
    private readonly members: Members,
  ) {}

  async adding(area: Area, form = new FormInput({ stage: 'new_enquiry' })): Promise<HtmlPage> {
    const page = (
      <LeadFormPage
        area={area}
        title="Add a lead"
        form={form}
        choices={await this.choices(area)}
        action={leadsPath(area)}
        back={leadsPath(area)}
        submit="Add lead"
      />
    );
    return new HtmlPage(page, form.isFaulty ? 422 : 200);
  }

  /** @param sent the form that was refused. It stays tied to the state of the lead that it has shown, unless that is why. */
  async editing(area: Area, lead: LeadView, sent?: FormInput): Promise<HtmlPage> {
    const isStale = sent !== undefined && explainStale(sent);
    const choices = await this.choices(area);
    const form = sent ?? new FormInput(valuesOf(lead, choices.fields));
    const page = (
      <LeadFormPage
        area={area}
        title={`Edit ${lead.name ?? lead.email}`}
        form={form}
        choices={choices}
        action={`${leadPath(area, lead.id)}/edit`}
        back={leadPath(area, lead.id)}
        seen={sent && !isStale ? sent.value('seen') : entityTag(lead)}
        submit="Save"
      />
    );
    return new HtmlPage(page, form.isFaulty ? 422 : 200);
  }

  /**
   * The fields of a form, or of an edited lead those that it changes. What is wrong with them is noted in the form.
   */
  async read(area: Area, form: FormInput, lead?: LeadView): Promise<Partial<LeadFields>> {
    const customFields = await this.customFields.find(refOf(area));
    const json = jsonOf(form, customFields.active, lead);
    const checked = this.leadCheck.check(json, lead ? 'update' : 'create');
    if ('problems' in checked) form.problems.push(...checked.problems);
    const values = json.custom ?? {};
    form.problems.push(...(lead ? customFields.problemsOnAny(values) : customFields.problemsOfNew(values)));
    return 'fields' in checked ? checked.fields : {};
  }

  private async choices(area: Area): Promise<LeadFormChoices> {
    const ref = refOf(area);
    const stages = (await this.pipelines.stages(ref)).filter(({ archivedAt }) => !archivedAt);
    const { members } = await this.members.list(area.workspace.id);
    const { data: reasons } = await this.reasons.list(ref, { archived: 'false' }, ALL_REASONS);
    const { active } = await this.customFields.find(ref);
    return { stages, owners: members, reasons, fields: active };
  }
}

/** Says in a person’s words that the lead isn’t any more as the form has shown it, if that is what is wrong. */
function explainStale(form: FormInput): boolean {
  const stale = form.problems.findIndex(({ field }) => field === 'If-Match');
  if (stale >= 0) form.problems[stale] = { field: 'seen', message: STALE };
  return stale >= 0;
}
