import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { RateLimited } from '../../kernel/errors';
import type { Metrics } from '../health/metrics';
import { AnswersUnderWay } from './answers-under-way';

const MIB = 1024 * 1024;

class FakeSocket extends EventEmitter {
  isBroken = false;
  destroy(): void {
    this.isBroken = true;
    this.emit('close');
  }
}

let answers: AnswersUnderWay;
let broken: number;
beforeEach(() => {
  jest.useFakeTimers();
  broken = 0;
  const metrics = { counter: () => ({ inc: () => broken++ }), gauge: () => undefined };
  answers = new AnswersUnderWay(metrics as unknown as Metrics);
});
afterEach(() => jest.useRealTimers());

/** An answer that its client has not read yet. */
function unread(workspaceId: string, id: string, mib: number, socket = new FakeSocket()) {
  const response = Object.assign(new EventEmitter(), {
    writableLength: mib * MIB,
    req: { principal: { workspaceId, credential: { id } }, socket },
  });
  socket.once('close', () => response.emit('close'));
  answers.follow(response as unknown as Response);
  return { socket, isRead: () => response.emit('finish') };
}
const isRefused = (caller: string) => {
  try {
    answers.refuseIfUnread(caller);
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(RateLimited);
    return true;
  }
};

test('a credential with more than its share unread is refused until it has read or gone away', () => {
  const first = unread('ws', 'key', 10);
  expect(isRefused('key')).toBe(false);
  const second = unread('ws', 'key', 10);
  expect([isRefused('key'), isRefused('other key')]).toEqual([true, false]);
  first.isRead();
  expect(isRefused('key')).toBe(false);
  unread('ws', 'key', 10);
  second.socket.destroy();
  expect(isRefused('key')).toBe(false);
  expect(broken).toBe(0);
});

test('when the room is full, the tenant with the most unread loses its oldest answer', () => {
  const modest = unread('modest', 'm', 4);
  const hoard = Array.from({ length: 15 }, (_, index) => unread('hoarder', `key ${index}`, 4));
  expect(broken).toBe(0);
  const late = unread('late', 'l', 4);
  expect(hoard.map(({ socket }) => socket.isBroken)).toEqual([true, ...hoard.slice(1).map(() => false)]);
  expect([modest.socket.isBroken, late.socket.isBroken, broken]).toEqual([false, false, 1]);
});

test('a client that reads too slowly loses its connection: ten seconds, and one for each 16 KB', () => {
  const { socket } = unread('ws', 'key', 4);
  const timely = unread('ws', 'key', 4);
  jest.advanceTimersByTime(10_000 + (4 * MIB) / 16 - 1);
  timely.isRead();
  expect(socket.isBroken).toBe(false);
  jest.advanceTimersByTime(1);
  expect([socket.isBroken, timely.socket.isBroken]).toEqual([true, false]);
});

test('the parts of one answer count until they are taken, each with its own time', () => {
  const socket = new FakeSocket();
  const response = Object.assign(new EventEmitter(), {
    writableLength: 4 * MIB,
    req: { principal: { workspaceId: 'ws', credential: { id: 'key' } }, socket },
  });
  socket.once('close', () => response.emit('close'));
  for (let part = 0; part < 20; part++) {
    answers.follow(response as unknown as Response, 'drain');
    expect(isRefused('key')).toBe(false);
    jest.advanceTimersByTime(60_000);
    response.emit('drain');
  }
  expect([response.listenerCount('drain'), response.listenerCount('close')]).toEqual([0, 0]);
  answers.follow(response as unknown as Response, 'drain');
  response.emit('finish');
  jest.advanceTimersByTime(10_000 + (4 * MIB) / 16);
  expect([socket.isBroken, broken]).toEqual([true, 1]);
});
