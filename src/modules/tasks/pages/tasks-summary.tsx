import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { PageRequest } from '../../../kernel/page';
import { Link } from '../../../platform/pages/components/link';
import { Section } from '../../../platform/pages/components/section';
import { leadPath } from '../../leads';
import { type OverviewPart, type OverviewRequest, refOf } from '../../shell';
import { TaskQueries } from '../application/task-queries';
import type { TaskSortField } from '../application/task-repository';
import { Due } from './due';
import { tasksPath } from './tasks-page';

const MOST_SHOWN = 6;
const EARLIEST_DUE: PageRequest<TaskSortField> = {
  page: 1,
  limit: MOST_SHOWN,
  sort: { field: 'due', descending: false },
  fingerprint: '',
  isUncounted: true,
};

/** The visitor's next tasks, on the first page of a workspace. */
@Injectable()
export class TasksSummary implements OverviewPart {
  readonly position = 10;

  constructor(
    private readonly queries: TaskQueries,
    private readonly clock: Clock,
  ) {}

  async content({ area, visitor }: OverviewRequest) {
    const filter = { assigneeId: visitor, status: 'open', archived: 'false' } as const;
    const { data: tasks } = await this.queries.list(refOf(area), filter, EARLIEST_DUE);
    const now = this.clock.now();
    return (
      <Section title="Your tasks">
        {tasks.length === 0 && <p class="quiet">No open tasks are assigned to you.</p>}
        <ul class="plain-list">
          {tasks.map((task) => (
            <li>
              <Link to={task.leadId ? leadPath(area, task.leadId) : tasksPath(area)}>
                <bdi>{task.title}</bdi>
              </Link>{' '}
              <span class="quiet">
                <Due area={area} task={task} now={now} />
              </span>
            </li>
          ))}
        </ul>
      </Section>
    );
  }
}
