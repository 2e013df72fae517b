import { Badge } from '../../../platform/pages/components/badge';
import { Day, Time } from '../../../platform/pages/components/time';
import type { Area } from '../../shell';
import type { TaskView } from '../domain/task';

/** When a task is due, and whether that has passed. */
export function Due({ area, task, now }: { area: Area; task: TaskView; now: Date }) {
  const { dueOn, dueAt, overdueAt } = task;
  return (
    <>
      {dueOn ? <Day on={dueOn} /> : <Time at={dueAt} zone={area.workspace.timeZone} none="No due time" />}{' '}
      {overdueAt && overdueAt <= now && <Badge kind="danger">Overdue</Badge>}
    </>
  );
}
