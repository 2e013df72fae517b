import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { BadRequest, NotFound, type PublicError } from '../../kernel/errors';
import type { RateLimits } from '../rate-limiting/rate-limits';
import { errorEnvelope } from './error.filter';

const unmetExpectations = new WeakSet<IncomingMessage>();

/** Answers, in the envelope, what Node's HTTP parser gives up on before there is a request, CONNECT, and Expect. */
export function answerMalformedRequests(server: Server, rateLimits: RateLimits): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const refuse = () => void answer(socket, 400, new BadRequest(messageOf(error.code)), rateLimits);
    // Garbage behind a sound request must not take the place of that one's answer.
    const pending = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage;
    if (pending?.req.complete && !pending.writableFinished) pending.once('finish', refuse);
    else refuse();
  });
  server.on('checkExpectation', (request, response) => {
    unmetExpectations.add(request);
    server.emit('request', request, response);
  });
  server.on('connect', (_request, socket: Socket) => {
    void answer(socket, 404, new NotFound('resource'), rateLimits);
  });
}

/** Node would answer such a request with a bare 417. */
export function hasUnmetExpectation(request: IncomingMessage): boolean {
  return unmetExpectations.has(request);
}

function messageOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The request line and headers are too long.';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request took too long to arrive.';
  return 'This is not a well-formed HTTP/1.1 request.';
}

async function answer(
  socket: Socket,
  status: number,
  error: PublicError,
  rateLimits: RateLimits,
): Promise<void> {
  const requestId = randomUUID();
  const body = JSON.stringify(errorEnvelope(error, requestId));
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  const sink = { setHeader: (name: string, value: number) => lines.push(`${name}: ${value}`) };
  await rateLimits.stampAddress(sink, socket.remoteAddress).catch(() => undefined);
  socket.on('error', () => socket.destroy());
  socket.end([...lines, '', body].join('\r\n'));
}
