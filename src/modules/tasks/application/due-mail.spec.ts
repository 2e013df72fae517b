import { dueMail } from './due-mail';

const WORKSPACE = { name: 'Garden\nEvents', timeZone: 'Europe/Madrid' };
const onDay = (title: string) => ({ title, dueOn: '2027-02-01', dueAt: null });

test('one task is named in the subject', () => {
  const task = { title: 'Send\nthe menu', dueOn: null, dueAt: new Date('2027-02-01T16:00:00Z') };
  expect(dueMail('eva@example.com', WORKSPACE, [task])).toEqual({
    to: 'eva@example.com',
    subject: 'Task due: Send the menu',
    text: `Your tasks in Garden Events:

- Send the menu (2027-02-01 17:00)

To stop these emails, open Tasks in Gala's settings.
`,
  });
});

test('of many tasks the first twenty are listed', () => {
  const tasks = Array.from({ length: 23 }, (_, index) => onDay(`Task ${index + 1}`));
  const { subject, text } = dueMail('eva@example.com', WORKSPACE, tasks);
  expect(subject).toBe('23 tasks are due');
  expect(text.match(/^- .*$/gm)).toEqual([
    ...Array.from({ length: 20 }, (_, index) => `- Task ${index + 1} (2027-02-01)`),
    '- and 3 more',
  ]);
});
