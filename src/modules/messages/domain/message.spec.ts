import * as fc from 'fast-check';
import { newId } from '../../../kernel/ids';
import { Message, PROGRESS, type Progress } from './message';
import { UNCONFIRMED } from './message-error';

type Step =
  | { kind: 'accept' }
  | { kind: 'reach'; progress: Progress; secondsAgo: number }
  | { kind: 'fail'; code: 'unconfirmed' | 'undeliverable' };

const START = Date.parse('2027-01-15T09:30:00Z');
const steps = fc.array(
  fc.oneof(
    fc.constant<Step>({ kind: 'accept' }),
    fc.record({
      kind: fc.constant('reach' as const),
      progress: fc.constantFrom<Progress>('sent', 'delivered', 'read'),
      secondsAgo: fc.integer({ min: -100, max: 100 }),
    }),
    fc.record({
      kind: fc.constant('fail' as const),
      code: fc.constantFrom('unconfirmed' as const, 'undeliverable' as const),
    }),
  ),
  { maxLength: 12 },
);

function queued(): Message {
  const ref = { workspaceId: newId('ws'), mode: 'live' } as const;
  const recipient = { kind: 'phone', value: '+34600123456' } as const;
  const to = { leadId: newId('lead'), recipient, channel: 'whatsapp' } as const;
  return Message.queue(ref, to, { text: 'Hi', template: null }, new Date(START)).message;
}

function take(message: Message, step: Step, now: Date) {
  if (step.kind === 'accept') return message.accept({ providerId: 'wamid.1', contact: null }, now);
  if (step.kind === 'reach') {
    return message.reach(step.progress, new Date(now.getTime() - step.secondsAgo * 1000), now);
  }
  return message.fail(step.code === 'unconfirmed' ? UNCONFIRMED : { code: step.code, message: 'No.' }, now);
}

test('under any order of answers and reports the status never goes back, and each change is told by one event', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const message = queued();
      all.forEach((step, index) => {
        const before = message.view();
        const events = take(message, step, new Date(START + index * 1000));
        const after = message.view();
        if (events.length === 0) expect(after).toEqual(before);
        else {
          expect(events).toHaveLength(1);
          expect(events[0]).toMatchObject({ type: `message.${after.status}`, data: after });
          expect({ ...after, ...events[0]!.previous }).toEqual(before);
        }
        const isFinal = before.status === 'failed' && before.error!.code !== 'unconfirmed';
        if (isFinal) expect(after).toEqual(before);
        else if (after.status === 'failed') expect(['queued', 'sent', 'failed']).toContain(before.status);
        else if (before.status !== 'failed') {
          const rank = (status: string) => PROGRESS.indexOf(status as Progress);
          expect(rank(after.status)).toBeGreaterThanOrEqual(rank(before.status));
        }
        const times = [after.createdAt, after.sentAt, after.deliveredAt, after.readAt].filter(
          (at) => at !== null,
        );
        expect(times).toEqual([...times].sort((a, b) => a.getTime() - b.getTime()));
        expect(after.error === null).toBe(after.status !== 'failed');
        expect(after.failedAt === null).toBe(after.status !== 'failed');
      });
    }),
    { numRuns: 500 },
  );
});
