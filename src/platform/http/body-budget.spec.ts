import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { Request } from 'express';
import fc from 'fast-check';
import { BadRequest, Overloaded, RateLimited } from '../../kernel/errors';
import type { Configuration } from '../config/configuration';
import type { Metrics } from '../health/metrics';
import { BodyBudget } from './body-budget';

const KIB = 1024;
const TOTAL = 64 * KIB;
const SHARE = TOTAL / 8;

let budget: BodyBudget;
let held: () => number;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  const read = { set: (value: number) => (last = value) };
  let last = 0;
  let collect: () => void = () => undefined;
  const metrics = {
    counter: () => ({ inc: () => undefined }),
    gauge: (options: { collect: () => void }) => (collect = () => options.collect.call(read)),
  } as unknown as Metrics;
  budget = new BodyBudget({ bodyMemory: TOTAL } as Configuration, metrics);
  budget.onModuleInit();
  held = () => (collect(), last);
});
afterEach(() => {
  budget.onApplicationShutdown();
  jest.useRealTimers();
});

class Sender {
  readonly request = new Readable({ read: () => undefined });
  readonly response = new EventEmitter();
  readonly body: Promise<Buffer>;
  outcome?: Buffer | Error;

  constructor(ip: string, headers: IncomingHttpHeaders = {}, max = 16 * KIB) {
    const fields = { headers, ip, res: this.response };
    this.body = budget.read(Object.assign(this.request, fields) as unknown as Request, max);
    this.body.then(
      (bytes) => (this.outcome = bytes),
      (error: unknown) => (this.outcome = error as Error),
    );
  }

  async send(bytes: number | Buffer): Promise<void> {
    this.request.push(typeof bytes === 'number' ? Buffer.alloc(bytes, 'x') : bytes);
    await turn();
  }

  async end(): Promise<void> {
    this.request.push(null);
    await turn();
  }
}

const announcing = (ip: string, bytes: number) => new Sender(ip, { 'content-length': String(bytes) });
const pass = async (seconds: number) => {
  jest.advanceTimersByTime(seconds * 1000);
  await turn();
};

test('hands over the bytes that were sent, in whatever pieces, and gives all of its memory back', async () => {
  jest.useRealTimers();
  const pieces = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(pieces, fc.boolean(), async (parts, isAnnounced) => {
      const whole = Buffer.concat(parts);
      const headers = isAnnounced ? { 'content-length': String(whole.length) } : {};
      const sender = new Sender('10.0.0.1', headers, SHARE);
      for (const part of parts) if (part.length) sender.request.push(Buffer.from(part));
      sender.request.push(null);
      expect((await sender.body).equals(whole)).toBe(true);
      expect(held()).toBeGreaterThanOrEqual(whole.length);
      expect(held()).toBeLessThanOrEqual(2 * whole.length);
      sender.response.emit('prefinish');
      expect(held()).toBe(0);
    }),
  );
});

test('tiny chunks take no more memory than the budget counts', async () => {
  const sender = new Sender('10.0.0.1');
  for (let count = 0; count < 1000; count++) sender.request.push(Buffer.from('x'));
  await sender.end();
  expect((sender.outcome as Buffer).buffer.byteLength).toBeLessThanOrEqual(2000);
  expect(held()).toBeLessThanOrEqual(2000);
});

test('a body counts until its request is answered, a refused one no longer', async () => {
  const sender = announcing('10.0.0.1', 1000);
  await sender.send(1000);
  await sender.end();
  await sender.body;
  expect(held()).toBe(1000);
  sender.response.emit('prefinish');
  sender.response.emit('close');
  expect(held()).toBe(0);

  const larger = new Sender('10.0.0.1', {}, 100);
  await larger.send(101);
  expect(larger.outcome).toBeInstanceOf(BadRequest);
  expect(held()).toBe(0);

  const gone = announcing('10.0.0.1', 1000);
  gone.request.destroy();
  await turn();
  expect(gone.outcome).toBeInstanceOf(BadRequest);
  expect(held()).toBe(0);
});

test('a client over its share is refused, announced or not, at no cost to others', async () => {
  const first = announcing('10.0.0.1', SHARE - 100);
  await expect(announcing('10.0.0.1', 101).body).rejects.toBeInstanceOf(RateLimited);
  const chunked = new Sender('10.0.0.1');
  await chunked.send(100);
  await chunked.send(1);
  expect(chunked.outcome).toBeInstanceOf(RateLimited);
  const other = announcing('10.0.0.2', 1000);
  await other.send(1000);
  await other.end();
  expect(other.outcome).toHaveLength(1000);
  expect(first.outcome).toBeUndefined();
});

test('an IPv6 network is one client', async () => {
  announcing('2001:db8::1', SHARE);
  await expect(announcing('2001:db8::2', 1).body).rejects.toBeInstanceOf(RateLimited);
});

test('when the memory is full the slowest body gives way', async () => {
  const senders = Array.from({ length: 8 }, (_, index) => announcing(`10.0.0.${index}`, SHARE));
  for (let second = 0; second < 5; second++) {
    for (const [index, sender] of senders.entries()) await sender.send(index === 3 ? 10 : 1000);
    await pass(1);
  }
  const newcomer = announcing('10.0.1.1', 100);
  await turn();
  expect(senders[3]!.outcome).toBeInstanceOf(Overloaded);
  await newcomer.send(100);
  await newcomer.end();
  expect(newcomer.outcome).toHaveLength(100);
  expect(senders.filter(({ outcome }) => outcome !== undefined)).toHaveLength(1);
});

test('one that was fast and stands still gives way before one that goes on slowly', async () => {
  const stalled = announcing('10.0.0.1', SHARE);
  await stalled.send(SHARE - 1);
  const steady = announcing('10.0.0.2', SHARE);
  for (let index = 3; index <= 8; index++) announcing(`10.0.0.${index}`, SHARE);
  for (let second = 0; second < 9; second++) {
    await steady.send(500);
    await pass(1);
  }
  for (let count = 0; count < 7; count++) announcing(`10.0.1.${count}`, SHARE);
  await turn();
  expect(stalled.outcome).toBeInstanceOf(Overloaded);
  expect(steady.outcome).toBeUndefined();
});

test('when all of it is held by requests that are worked on, a newcomer is told so', async () => {
  for (let index = 0; index < 8; index++) {
    const sender = announcing(`10.0.0.${index}`, SHARE);
    await sender.send(SHARE);
    await sender.end();
  }
  await expect(announcing('10.0.1.1', 1).body).rejects.toBeInstanceOf(Overloaded);
});

test('a body that trickles is given up after ten seconds, a slow phone’s isn’t', async () => {
  const trickling = announcing('10.0.0.1', 8 * KIB);
  const phone = announcing('10.0.0.2', 8 * KIB);
  for (let second = 0; second < 12; second++) {
    await trickling.send(1);
    await phone.send(600);
    await pass(1);
  }
  expect(trickling.outcome).toBeInstanceOf(BadRequest);
  expect((trickling.outcome as Error).message).toContain('too slowly');
  expect(phone.outcome).toBeUndefined();
});
