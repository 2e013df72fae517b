import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Request } from 'express';
import { BadRequest } from '../../kernel/errors';
import { beginFileForm, fileOf } from './file-form';

const part = (name: string, value: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const FILE = part('file', 'Email\r\nana@example.com', '; filename="leads.csv"');

let request: PassThrough & Request;
let form: Promise<object>;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  request = Object.assign(new PassThrough({ highWaterMark: 2 ** 20 }), { headers }) as never;
  form = beginFileForm(request);
  form.catch(() => undefined);
});
afterEach(() => jest.useRealTimers());

test('hands over the fields, and the file when it is read', async () => {
  request.end(`${part('matchBy', 'email')}${part('delimiter', ';')}${FILE}--x--\r\n`);
  expect({ ...(await form) }).toEqual({ matchBy: 'email', delimiter: ';' });
  expect(await text(fileOf(request)!)).toBe('Email\r\nana@example.com');
});

test('a form without a file is refused', async () => {
  request.end(`${part('matchBy', 'email')}--x--\r\n`);
  await expect(form).rejects.toBeInstanceOf(BadRequest);
});

test.each([
  ['fields', part('matchBy', 'x'.repeat(1000)).repeat(200)],
  ['bytes before the first field', 'x'.repeat(200_000)],
  ['bytes of one field', `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'x'.repeat(200_000)}`],
])('%s without end are refused', async (_, bytes) => {
  for (let from = 0; from < bytes.length; from += 16_384) request.write(bytes.slice(from, from + 16_384));
  await expect(form).rejects.toBeInstanceOf(BadRequest);
  expect(request.readableFlowing).toBe(false);
});

test('fields that trickle are refused after a minute', async () => {
  request.write('--x\r\n');
  jest.advanceTimersByTime(60_000);
  await expect(form).rejects.toBeInstanceOf(BadRequest);
});

test('a file has longer than its fields', async () => {
  request.write(`${part('matchBy', 'email')}${FILE}`);
  await form;
  jest.advanceTimersByTime(600_000);
  request.end('--x--\r\n');
  expect(await text(fileOf(request)!)).toBe('Email\r\nana@example.com');
});
