import { Controller, Param, Post } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import { parseId, type UserId } from '../../../kernel/ids';
import * as fieldRules from '../../../platform/http/field-rules';
import type { FormInput } from '../../../platform/pages/form-input';
import { type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { SignedInPerson } from '../../accounts';
import { LeadPage } from '../../leads';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { ChangeTask } from '../application/change-task';
import { CreateTask } from '../application/create-task';
import { MAX_TITLE } from '../domain/task';

/** The forms of the panel on a lead's page. */
@Controller('settings/:workspace/:mode/leads/:lead/tasks')
@SettingsPages('member')
export class LeadTasksController {
  constructor(
    private readonly leadPage: LeadPage,
    private readonly createTask: CreateTask,
    private readonly changeTask: ChangeTask,
  ) {}

  @Post()
  async add(
    @InArea() area: Area,
    @Param('lead') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const lead = await this.leadPage.find(area, id);
    const fields = {
      leadId: lead.id,
      title: form.text('title', fieldRules.text(MAX_TITLE)),
      dueOn: form.optional('dueOn', fieldRules.plannableDate),
      assigneeId: form.optional('assigneeId', fieldRules.idOf('user')) as UserId | null,
    };
    const done = await form.submit(() => this.createTask.execute(refOf(area), fields));
    if (done) return new Redirect(LeadPage.path(area, lead.id, 'task-added'));
    return this.leadPage.show(area, lead, { forms: { task: form } });
  }

  @Post(':task/complete')
  async complete(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('lead') id: string,
    @Param('task') task: string,
  ): Promise<PageAnswer> {
    const lead = await this.leadPage.find(area, id);
    const taskId = parseId('task', task);
    if (!taskId) throw new NotFound('page');
    await this.changeTask.complete(refOf(area), person, taskId);
    return new Redirect(LeadPage.path(area, lead.id, 'task-done'));
  }
}
