import type { UserId } from '../../../kernel/ids';
import { Button } from '../../../platform/pages/components/button';
import { CheckboxField } from '../../../platform/pages/components/checkbox-field';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Form } from '../../../platform/pages/components/form';
import { Link, type Path } from '../../../platform/pages/components/link';
import { Pagination, Tabs } from '../../../platform/pages/components/navigation';
import { EmptyState, Section } from '../../../platform/pages/components/section';
import { FormInput } from '../../../platform/pages/form-input';
import { leadPath } from '../../leads';
import { type Area, SettingsPage, settingsPath } from '../../shell';
import type { TaskView } from '../domain/task';
import { Due } from './due';

const NOTICES = new Map([['saved', 'Changes saved.']]);

interface TasksPageProps {
  area: Area;
  /** Shows those of the visitor alone. */
  isMine: boolean;
  /** Open, the earliest due first. */
  tasks: readonly TaskView[];
  nextCursor: string | null;
  now: Date;
  /** Email addresses of the members. */
  emails: ReadonlyMap<UserId, string>;
  wantsMails: boolean;
  notice: string;
}

export function TasksPage(props: TasksPageProps) {
  const { area, isMine, tasks, nextCursor, now, emails, wantsMails, notice } = props;
  const path = tasksPath(area);
  const mine = `${path}?assignee=me` as const;
  const current = isMine ? mine : path;
  const later = nextCursor && (`${current}${isMine ? '&' : '?'}cursor=${nextCursor}` as const);
  return (
    <SettingsPage
      area={area}
      place=":mode/tasks"
      title="Tasks"
      intro="Open tasks, the earliest due first."
      done={NOTICES.get(notice)}
    >
      <Tabs
        label="Assignee"
        items={[
          { to: path, label: 'All' },
          { to: mine, label: 'Assigned to me' },
        ]}
        current={current}
      />
      {tasks.length === 0 ? (
        <EmptyState title={isMine ? 'No open tasks assigned to you' : 'No open tasks'}>
          Add one on the page of a lead.
        </EmptyState>
      ) : (
        <DataTable
          caption="Tasks"
          hideCaption
          rows={tasks}
          columns={[
            { title: 'Task', isHeader: true, cell: (task) => <Title area={area} task={task} /> },
            { title: 'Due', cell: (task) => <Due area={area} task={task} now={now} /> },
            {
              title: 'Assignee',
              cell: ({ assigneeId }) => (assigneeId && emails.get(assigneeId)) ?? 'Nobody',
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

function Title({ area, task: { title, leadId } }: { area: Area; task: TaskView }) {
  return leadId ? <Link to={leadPath(area, leadId)}>{title}</Link> : <>{title}</>;
}

export function tasksPath(area: Area): Path {
  return settingsPath(area, `${area.mode}/tasks`);
}
