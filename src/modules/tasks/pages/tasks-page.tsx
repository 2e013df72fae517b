import type { UserId } from '../../../kernel/ids';
import { Button } from '../../../platform/pages/components/button';
import { CheckboxField } from '../../../platform/pages/components/checkbox-field';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Form } from '../../../platform/pages/components/form';
import { Link, type Path } from '../../../platform/pages/components/link';
import { Pagination, Tabs } from '../../../platform/pages/components/navigation';
import { EmptyState, Section } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import { FormInput } from '../../../platform/pages/form-input';
import { leadPath } from '../../leads';
import { type Area, SettingsPage, settingsPath } from '../../shell';
import type { TaskView } from '../domain/task';
import { Due } from './due';

const NOTICES = new Map([
  ['saved', 'Changes saved.'],
  ['done', 'The task is done.'],
  ['reopened', 'The task is open again.'],
]);

const VIEWS = { all: 'All', mine: 'Mine', done: 'Done' };
/** The open tasks, the visitor's open ones, or the completed ones. */
export type TasksViewName = keyof typeof VIEWS;

interface TasksPageProps {
  area: Area;
  view: TasksViewName;
  /** Open ones by due time, completed ones the newest first. */
  tasks: readonly TaskView[];
  nextCursor: string | null;
  now: Date;
  /** Email addresses of the members. */
  emails: ReadonlyMap<UserId, string>;
  wantsMails: boolean;
  notice: string;
}

export function TasksPage(props: TasksPageProps) {
  const { area, view, tasks, nextCursor, now, emails, wantsMails, notice } = props;
  const path = tasksPath(area);
  const current = viewPath(area, view);
  const later = nextCursor && (`${current}${view === 'all' ? '?' : '&'}cursor=${nextCursor}` as const);
  return (
    <SettingsPage
      area={area}
      place=":mode/tasks"
      title="Tasks"
      intro={view === 'done' ? 'Completed tasks, the newest first.' : 'Open tasks, the earliest due first.'}
      done={NOTICES.get(notice)}
    >
      <Tabs
        label="Tasks"
        items={Object.entries(VIEWS).map(([name, label]) => ({
          to: viewPath(area, name as TasksViewName),
          label,
        }))}
        current={current}
      />
      {tasks.length === 0 ? (
        <NoTasks view={view} />
      ) : (
        <DataTable
          caption="Tasks"
          hideCaption
          dense
          rows={tasks}
          columns={[
            { title: 'Task', isHeader: true, cell: (task) => <Title area={area} task={task} /> },
            { title: 'Due', cell: (task) => <Due area={area} task={task} now={now} /> },
            {
              title: 'Assignee',
              cell: ({ assigneeId }) => (assigneeId && emails.get(assigneeId)) ?? 'Nobody',
            },
            ...(view === 'done'
              ? [
                  {
                    title: 'Completed',
                    cell: ({ completedAt }: TaskView) => (
                      <Time at={completedAt} zone={area.workspace.timeZone} />
                    ),
                  },
                ]
              : []),
            {
              title: 'Actions',
              actions: true,
              cell: (task) => <Completion area={area} view={view} task={task} />,
            },
          ]}
        />
      )}
      <Pagination older={later || undefined} />
      <Section title="Emails">
        <Form action={`${path}/emails`}>
          <CheckboxField
            form={new FormInput(wantsMails ? { emails: 'yes' } : {})}
            name="emails"
            label="Email me when tasks assigned to me are due"
            hint="For this workspace’s live tasks."
          />
          <Button>Save</Button>
        </Form>
      </Section>
    </SettingsPage>
  );
}

function NoTasks({ view }: Pick<TasksPageProps, 'view'>) {
  if (view === 'done') return <EmptyState title="No completed tasks" />;
  return (
    <EmptyState title={view === 'mine' ? 'No open tasks assigned to you' : 'No open tasks'}>
      Add one on the page of a lead.
    </EmptyState>
  );
}

/** Completes an open task, and reopens a completed one. */
function Completion({ area, view, task }: Pick<TasksPageProps, 'area' | 'view'> & { task: TaskView }) {
  const action = view === 'done' ? 'reopen' : 'complete';
  return (
    <Form action={`${tasksPath(area)}/${task.id}/${action}`} id={task.id} layout="inline">
      <input type="hidden" name="view" value={view} />
      <Button kind="secondary" of={task.title}>
        {view === 'done' ? 'Reopen' : 'Done'}
      </Button>
    </Form>
  );
}

function Title({ area, task: { title, leadId } }: { area: Area; task: TaskView }) {
  return leadId ? <Link to={leadPath(area, leadId)}>{title}</Link> : <>{title}</>;
}

/** The view that an address asks for. */
export function viewNamed(name: string): TasksViewName {
  return Object.hasOwn(VIEWS, name) ? (name as TasksViewName) : 'all';
}

export function viewPath(area: Area, view: TasksViewName): Path {
  const path = tasksPath(area);
  return view === 'all' ? path : `${path}?view=${view}`;
}

export function tasksPath(area: Area): Path {
  return settingsPath(area, `${area.mode}/tasks`);
}
