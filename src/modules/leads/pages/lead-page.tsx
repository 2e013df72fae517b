import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { ComponentChildren } from 'preact';
import { type LeadId, parseId } from '../../../kernel/ids';
import { NotFound } from '../../../kernel/errors';
import { Badge } from '../../../platform/pages/components/badge';
import { Link } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage } from '../../../platform/pages/page-answer';
import { queryText } from '../../../platform/pages/query-text';
import { type Area, refOf, SettingsPage } from '../../shell';
import { Members } from '../../workspaces';
import { CustomFieldReader } from '../application/custom-field-reader';
import { LeadQueries } from '../application/lead-queries';
import { ManageLostReasons } from '../application/manage-lost-reasons';
import { PipelineQueries } from '../application/pipeline-queries';
import type { LeadView } from '../domain/lead';
import type { StageView } from '../domain/pipeline-stage';
import { LeadFacts } from './lead-facts';
import { type LeadPanel, LeadPageParts } from './lead-page-parts';
import { leadPath, leadsPath } from './lead-paths';
import { sentencesOf } from './problem-sentences';

const NOTICES = new Map([
  ['added', 'The lead was added.'],
  ['saved', 'Changes saved.'],
  ['moved', 'Moved.'],
  ['archived', 'The lead is archived.'],
  ['restored', 'The lead is restored.'],
  ['logged', 'Added to the history.'],
  ['task-added', 'The task was added.'],
  ['task-done', 'The task is done.'],
  ['visit-booked', 'The visit is booked.'],
  ['held', 'The date is held.'],
  ['sent', 'The message is on its way.'],
]);

/** Forms that were sent and refused, by the panels that they belong to. */
export type PanelForms = Readonly<Record<string, FormInput>>;

interface Told {
  request?: Request;
  forms?: PanelForms;
  /** Why the lead couldn't be moved, archived or restored. */
  refusal?: string;
}

/** The page of a lead, which every module adds its panels to. A module whose form was refused shows the page again with it. */
@Injectable()
export class LeadPage {
  constructor(
    private readonly queries: LeadQueries,
    private readonly pipelines: PipelineQueries,
    private readonly reasons: ManageLostReasons,
    private readonly members: Members,
    private readonly customFields: CustomFieldReader,
    private readonly parts: LeadPageParts,
  ) {}

  /** @throws NotFound for text that is no id, or an unknown lead */
  find(area: Area, id: string): Promise<LeadView> {
    return this.queries.get(refOf(area), leadIdOf(id));
  }

  async show(area: Area, lead: LeadView, { request, forms = {}, refusal }: Told = {}): Promise<HtmlPage> {
    const ref = refOf(area);
    const query = (name: string) => (request ? queryText(request, name) : '');
    const ask = (panel: LeadPanel) =>
      panel.content({ area, lead, form: forms[panel.name] ?? new FormInput(), query });
    const middle: ComponentChildren[] = [];
    for (const panel of this.parts.panels('middle')) middle.push(await ask(panel));
    const side: ComponentChildren[] = [];
    for (const panel of this.parts.panels('side')) side.push(await ask(panel));
    const stages = await this.pipelines.stages(ref);
    const { members } = await this.members.list(area.workspace.id);
    const facts = (
      <LeadFacts
        area={area}
        lead={lead}
        stages={stages.filter((stage) => isOffered(stage, lead))}
        fields={(await this.customFields.find(ref)).active}
        names={{
          owner: members.find(({ userId }) => userId === lead.ownerId)?.email ?? null,
          lostReason: lead.lostReasonId && (await this.reasons.get(ref, lead.lostReasonId)).name,
        }}
      />
    );
    const problems = Object.values(forms).flatMap((form) => form.problems);
    const isFaulty = refusal !== undefined || problems.length > 0;
    const why = refusal ?? (problems.length > 0 ? sentencesOf(problems) : undefined);
    const frame = { area, lead, refusal: why, done: NOTICES.get(query('notice')) };
    return new HtmlPage(<Frame {...frame} facts={facts} middle={middle} side={side} />, isFaulty ? 422 : 200);
  }

  /** Where a form of the page leads to when it was taken. */
  static path(area: Area, id: LeadId, notice = 'saved') {
    return `${leadPath(area, id)}?notice=${notice}` as const;
  }
}

export function leadIdOf(text: string): LeadId {
  const id = parseId('lead', text);
  if (!id) throw new NotFound('page');
  return id;
}

interface FrameProps {
  area: Area;
  lead: LeadView;
  refusal?: string;
  done?: string;
  facts: ComponentChildren;
  middle: ComponentChildren;
  side: ComponentChildren;
}

function Frame({ area, lead, refusal, done, facts, middle, side }: FrameProps) {
  return (
    <SettingsPage
      area={area}
      place=":mode/leads"
      title={lead.name ?? lead.email}
      intro={
        <>
          <Link to={leadsPath(area)}>Leads</Link> {lead.archivedAt && <Badge kind="warning">Archived</Badge>}
        </>
      }
      done={done}
    >
      {refusal && (
        <Notice kind="danger" title="That wasn’t done">
          {refusal} {!lead.archivedAt && <Link to={`${leadPath(area, lead.id)}/edit`}>Edit the lead</Link>}
        </Notice>
      )}
      <div class="lead-page">
        <div class="lead-facts">{facts}</div>
        <div class="lead-middle">{middle}</div>
        <div class="lead-side">{side}</div>
      </div>
    </SettingsPage>
  );
}

function isOffered({ key, isHidden, archivedAt }: StageView, lead: LeadView): boolean {
  return key === lead.stage || !(isHidden || archivedAt);
}
