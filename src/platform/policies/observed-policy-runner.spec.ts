import { NotFound } from '../../kernel/errors';
import { UnitOfWork } from '../../kernel/unit-of-work';
import { Logger } from '../logging/logger';
import { ObservedPolicyRunner } from './observed-policy-runner';

class NoTransaction extends UnitOfWork {
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return work();
  }
  afterCommit(): void {
    throw new Error('not used');
  }
}

class RecordingLogger extends Logger {
  readonly lines: [level: string, fields: object, message: string][] = [];
  debug = () => undefined;
  info = () => undefined;
  warn = (fields: object, message: string) => void this.lines.push(['warn', fields, message]);
  error = (fields: object, message: string) => void this.lines.push(['error', fields, message]);
}

let logger: RecordingLogger;
let runner: ObservedPolicyRunner;
beforeEach(() => {
  jest.useFakeTimers();
  logger = new RecordingLogger();
  runner = new ObservedPolicyRunner(new NoTransaction(), logger);
});
afterEach(() => jest.useRealTimers());

test('a quick policy leaves no line', async () => {
  await runner.run('p', () => Promise.resolve(1));
  await jest.advanceTimersByTimeAsync(5000);
  expect(logger.lines).toEqual([]);
});

test('a slow policy is named after a second, and with its time at its end', async () => {
  const running = runner.run('p', () => new Promise((resolve) => setTimeout(resolve, 2500)));
  await jest.advanceTimersByTimeAsync(999);
  expect(logger.lines).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(logger.lines).toEqual([['warn', { policy: 'p' }, expect.stringContaining('still runs')]]);
  await jest.advanceTimersByTimeAsync(1500);
  await running;
  expect(logger.lines.slice(1)).toEqual([['warn', { policy: 'p', durationMs: 2500 }, 'a policy was slow']]);
});

test('a failure is named, a refusal isn’t, and both reach the caller', async () => {
  const refusal = new NotFound('client');
  await expect(runner.run('p', () => Promise.reject(refusal))).rejects.toBe(refusal);
  expect(logger.lines).toEqual([]);
  const failure = new TypeError('oops');
  await expect(runner.run('p', () => Promise.reject(failure))).rejects.toBe(failure);
  expect(logger.lines).toEqual([
    ['error', expect.objectContaining({ policy: 'p', error: 'TypeError' }), 'a policy failed'],
  ]);
});

test('against a fact both are named, and neither reaches the caller', async () => {
  expect(await runner.overrule('p', () => Promise.reject(new NotFound('client')))).toBeUndefined();
  expect(await runner.overrule('p', () => Promise.reject(new Error('oops')))).toBeUndefined();
  expect(logger.lines.map(([level, , message]) => [level, message])).toEqual([
    ['warn', expect.stringContaining('was overruled')],
    ['error', 'a policy failed'],
  ]);
});
