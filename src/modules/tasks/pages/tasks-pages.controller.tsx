import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import type { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, listRequest, refOf, SettingsPages } from '../../shell';
import { Members } from '../../workspaces';
import { MailPreferences } from '../application/mail-preferences';
import { type TaskListInput, TaskQueries } from '../application/task-queries';
import { TasksPage, tasksPath } from './tasks-page';

/** Settings → Sales → Tasks: the open tasks, and whether the visitor wants emails about theirs. */
@Controller('settings/:workspace/:mode/tasks')
@SettingsPages('member')
export class TasksPagesController {
  constructor(
    private readonly queries: TaskQueries,
    private readonly preferences: MailPreferences,
    private readonly members: Members,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(
    @Req() request: Request,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
  ): Promise<HtmlPage> {
    const isMine = queryText(request, 'assignee') === 'me';
    const input: TaskListInput = {
      status: 'open',
      archived: 'false',
      ...(isMine && { assigneeId: person.id }),
    };
    const page = await this.queries.list(
      refOf(area),
      input,
      listRequest(request, {
        list: 'tasks',
        filters: input,
        sort: { field: 'due', descending: false },
        kind: 'instant',
        nullable: true,
        idPrefix: 'task',
      }),
    );
    const { members } = await this.members.list(area.workspace.id);
    return new HtmlPage(
      <TasksPage
        area={area}
        isMine={isMine}
        tasks={page.data}
        nextCursor={page.pagination.nextCursor}
        now={this.clock.now()}
        emails={new Map(members.map(({ userId, email }) => [userId, email]))}
        wantsMails={await this.preferences.wantsMails(area.workspace.id, person.id)}
        notice={queryText(request, 'notice')}
      />,
    );
  }

  @Post('emails')
  async changeEmails(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<Redirect> {
    await this.preferences.set(area.workspace.id, person.id, form.isChecked('emails'));
    return new Redirect(`${tasksPath(area)}?notice=saved`);
  }
}
