import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { PageRequest } from '../../../kernel/page';
import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { Section } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextField } from '../../../platform/pages/components/text-field';
import { type LeadPanel, leadPath, type PanelRequest } from '../../leads';
import { refOf } from '../../shell';
import { Members } from '../../workspaces';
import { TaskQueries } from '../application/task-queries';
import type { TaskSortField } from '../application/task-repository';
import type { TaskView } from '../domain/task';
import { Due } from './due';
import { tasksPath } from './tasks-page';

const MOST_SHOWN = 10;
const EARLIEST_DUE: PageRequest<TaskSortField> = {
  page: 1,
  limit: MOST_SHOWN,
  sort: { field: 'due', descending: false },
  fingerprint: '',
};

/** The next steps with a lead, on its page. */
@Injectable()
export class TasksPanel implements LeadPanel {
  readonly name = 'task';
  readonly place = 'side';
  readonly position = 0;

  constructor(
    private readonly queries: TaskQueries,
    private readonly members: Members,
    private readonly clock: Clock,
  ) {}

  async content(request: PanelRequest) {
    const { area, lead } = request;
    const filter = { leadId: lead.id, status: 'open', archived: 'false' } as const;
    const { data, pagination } = await this.queries.list(refOf(area), filter, EARLIEST_DUE);
    const { members } = await this.members.list(area.workspace.id);
    return (
      <TaskSection
        {...request}
        tasks={data}
        total={pagination.total}
        assignees={members.map(({ userId, email }) => ({ value: userId, label: email }))}
        now={this.clock.now()}
      />
    );
  }
}

interface TaskSectionProps extends PanelRequest {
  tasks: readonly TaskView[];
  total: number;
  assignees: readonly { value: string; label: string }[];
  now: Date;
}

function TaskSection({ area, lead, form, tasks, total, assignees, now }: TaskSectionProps) {
  const path = `${leadPath(area, lead.id)}/tasks` as const;
  return (
    <Section title="Tasks">
      {tasks.length === 0 && <p class="quiet">No open tasks.</p>}
      <ul class="plain-list">
        {tasks.map((task) => (
          <li>
            <span dir="auto">{task.title}</span>
            <div class="quiet">
              <Due area={area} task={task} now={now} />
            </div>
            <Form action={`${path}/${task.id}/complete`} id={task.id} layout="inline">
              <Button kind="secondary" of={task.title}>
                Done
              </Button>
            </Form>
          </li>
        ))}
      </ul>
      {total > tasks.length && <Link to={tasksPath(area)}>All tasks</Link>}
      {(!lead.archivedAt || form.isFaulty) && (
        <Form action={path} id="task">
          <TextField form={form} name="title" label="Add a task" required />
          <TextField form={form} name="dueOn" label="Due on" type="date" />
          <SelectField
            form={form}
            name="assigneeId"
            label="Assignee"
            options={[{ value: '', label: 'Nobody' }, ...assignees]}
          />
          <Button kind="secondary">Add task</Button>
        </Form>
      )}
    </Section>
  );
}
