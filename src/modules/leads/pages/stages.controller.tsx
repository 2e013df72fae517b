import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import * as fieldRules from '../../../platform/http/field-rules';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { CopyToLive } from '../application/copy-to-live';
import { PipelineQueries } from '../application/pipeline-queries';
import { ShapePipeline } from '../application/shape-pipeline';
import type { StageView } from '../domain/pipeline-stage';
import { isStageKey, type Outcome, OUTCOMES, readStageKey, STAGE_ROLES } from '../domain/stage';
import { moved, readRules, rulesOf } from './stage-form';
import { StagePage } from './stage-page';
import { StagesOverview } from './stages-overview';
import { stagesPath } from './stage-paths';
import { suggestKey } from './suggest-key';

/** Settings → Sales → Stages. */
@Controller('settings/:workspace/:mode/stages')
@SettingsPages('admin')
export class StagesPagesController {
  constructor(
    private readonly shape: ShapePipeline,
    private readonly queries: PipelineQueries,
    private readonly copyToLive: CopyToLive,
    private readonly overview: StagesOverview,
  ) {}

  @Get()
  list(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    return this.overview.page(area, { notice: queryText(request, 'notice') });
  }

  @Post()
  async add(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const name = form.text('name', fieldRules.text(60));
    const outcome = form.text('outcome', fieldRules.oneOf(OUTCOMES)) as Outcome;
    const key = form.optional('key', (value) =>
      isStageKey(value) ? undefined : 'must be lower-case letters, digits and underscores',
    );
    const keys = (await this.queries.stages(refOf(area))).map((stage) => stage.key);
    const fields = { key: key ?? suggestKey(name, keys, 'stage'), name, outcome };
    const done = await form.submit(() => this.shape.add(refOf(area), person, fields));
    return done ? backTo(area, 'added') : this.overview.page(area, { forms: { add: form } });
  }

  /** The keys in the order of the page; a button moves one of them. */
  @Post('order')
  async reorder(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const keys = moved(form.list('keys'), form.value('up'), form.value('down'));
    const done = await form.submit(() => this.shape.reorder(refOf(area), person, keys));
    return done ? backTo(area, 'reordered') : this.overview.page(area, { forms: { order: form } });
  }

  @Post('automations')
  async automate(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const chosen = STAGE_ROLES.map((role) => [role, form.text(role, fieldRules.anyText)]);
    const choices = Object.fromEntries(chosen) as Record<string, string>;
    const done = await form.submit(() => this.shape.automate(refOf(area), person, choices));
    return done ? backTo(area, 'saved') : this.overview.page(area, { forms: { automations: form } });
  }

  @Post('copy')
  async copy(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    if (area.mode !== 'live') throw new NotFound('page');
    const done = await form.submit(() => this.copyToLive.execute(area.workspace.id, person));
    return done ? backTo(area, 'copied') : this.overview.page(area, { forms: { copy: form } });
  }

  @Get(':stage/edit')
  async show(@InArea() area: Area, @Param('stage') key: string): Promise<HtmlPage> {
    const stage = await this.queries.stage(refOf(area), key);
    return this.editing(area, stage, new FormInput(rulesOf(stage)));
  }

  @Post(':stage/edit')
  async change(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('stage') key: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const stage = await this.queries.stage(refOf(area), key);
    const changes = readRules(form, stage, await this.queries.stages(refOf(area)));
    const done = await form.submit(() => this.shape.update(refOf(area), person, key, changes));
    return done ? backTo(area, 'saved') : this.editing(area, stage, form);
  }

  @Post(':stage/archive')
  async archive(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('stage') key: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const moveTo = form.value('moveTo') || undefined;
    const done = await form.submit(() => this.shape.archive(refOf(area), person, readStageKey(key), moveTo));
    if (done) return backTo(area, 'archived');
    const stage = await this.queries.stage(refOf(area), key);
    return this.editing(area, stage, new FormInput(rulesOf(stage)), form);
  }

  @Post(':stage/restore')
  async restore(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('stage') key: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const done = await form.submit(() => this.shape.restore(refOf(area), person, readStageKey(key)));
    return done ? backTo(area, 'restored') : this.overview.page(area, { forms: { order: form } });
  }

  private async editing(
    area: Area,
    stage: StageView,
    form: FormInput,
    archiving = new FormInput(),
  ): Promise<HtmlPage> {
    if (stage.archivedAt) throw new NotFound('page');
    const stages = (await this.queries.stages(refOf(area))).filter(({ archivedAt }) => !archivedAt);
    return new HtmlPage(
      <StagePage area={area} stage={stage} stages={stages} form={form} archiving={archiving} />,
      form.isFaulty || archiving.isFaulty ? 422 : 200,
    );
  }
}

function backTo(area: Area, notice: string): Redirect {
  return new Redirect(`${stagesPath(area)}?notice=${notice}`);
}
