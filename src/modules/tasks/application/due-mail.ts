import { localTimeIn } from '../../../kernel/local-time';
import type { Mail } from '../../../kernel/mailer';
import type { Task } from '../domain/task';

/** A longer list is hardly read. */
const MAX_LISTED = 20;

/** The email to a person about tasks that have fallen due. Times are those of the workspace's time zone. */
export function dueMail(
  to: string,
  { name, timeZone }: { name: string; timeZone: string },
  tasks: readonly Pick<Task, 'title' | 'dueOn' | 'dueAt'>[],
): Mail {
  const listed = tasks
    .slice(0, MAX_LISTED)
    .map((task) => `- ${oneLine(task.title)} (${due(task, timeZone)})`);
  const more = tasks.length - listed.length;
  return {
    to,
    subject: tasks.length === 1 ? `Task due: ${oneLine(tasks[0]!.title)}` : `${tasks.length} tasks are due`,
    text: `Your tasks in ${oneLine(name)}:

${[...listed, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')}

To stop these emails, open Tasks in Gala's settings.
`,
  };
}

function due({ dueOn, dueAt }: Pick<Task, 'dueOn' | 'dueAt'>, timeZone: string): string {
  return dueOn ?? localTimeIn(timeZone, dueAt!).replace('T', ' ');
}

/** Keeps a title with line breaks from passing for text of the email. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
