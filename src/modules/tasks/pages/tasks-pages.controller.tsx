import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import { parseId } from '../../../kernel/ids';
import type { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, listRequest, refOf, SettingsPages } from '../../shell';
import { Members } from '../../workspaces';
import { ChangeTask } from '../application/change-task';
import { MailPreferences } from '../application/mail-preferences';
import { type TaskListInput, TaskQueries } from '../application/task-queries';
import type { TaskSortField } from '../application/task-repository';
import type { TaskId } from '../domain/task';
import { TasksPage, tasksPath, viewNamed, viewPath } from './tasks-page';

/** Settings → Sales → Tasks: open and completed tasks, and whether the visitor wants emails about theirs. */
@Controller('settings/:workspace/:mode/tasks')
@SettingsPages('member')
export class TasksPagesController {
  constructor(
    private readonly queries: TaskQueries,
    private readonly changeTask: ChangeTask,
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
    const view = viewNamed(queryText(request, 'view'));
    const isDone = view === 'done';
    const input: TaskListInput = {
      status: isDone ? 'done' : 'open',
      archived: 'false',
      ...(view === 'mine' && { assigneeId: person.id }),
    };
    const options = { list: 'tasks', filters: input, kind: 'instant', idPrefix: 'task' } as const;
    const asked = isDone
      ? listRequest<TaskSortField>(request, { ...options, sort: { field: 'createdAt', descending: true } })
      : listRequest<TaskSortField>(request, {
          ...options,
          sort: { field: 'due', descending: false },
          nullable: true,
        });
    const page = await this.queries.list(refOf(area), input, { ...asked, isUncounted: true });
    const { members } = await this.members.list(area.workspace.id);
    return new HtmlPage(
      <TasksPage
        area={area}
        view={view}
        tasks={page.data}
        nextCursor={page.pagination.nextCursor}
        now={this.clock.now()}
        emails={new Map(members.map(({ userId, email }) => [userId, email]))}
        wantsMails={await this.preferences.wantsMails(area.workspace.id, person.id)}
        notice={queryText(request, 'notice')}
      />,
    );
  }

  @Post(':task/complete')
  async complete(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('task') task: string,
    @Submitted() form: FormInput,
  ): Promise<Redirect> {
    await this.changeTask.complete(refOf(area), person, taskId(task));
    return backTo(area, form, 'done');
  }

  @Post(':task/reopen')
  async reopen(
    @InArea() area: Area,
    @Param('task') task: string,
    @Submitted() form: FormInput,
  ): Promise<Redirect> {
    await this.changeTask.reopen(refOf(area), taskId(task));
    return backTo(area, form, 'reopened');
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

function taskId(text: string): TaskId {
  const id = parseId('task', text);
  if (!id) throw new NotFound('page');
  return id;
}

/** To the view that a form was sent from. */
function backTo(area: Area, form: FormInput, notice: string): Redirect {
  const path = viewPath(area, viewNamed(form.value('view')));
  return new Redirect(`${path}${path.includes('?') ? '&' : '?'}notice=${notice}`);
}
