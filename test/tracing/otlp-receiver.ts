import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface ReceivedSpan {
  service: string;
  traceId: string;
  spanId: string;
  parentId: string;
  name: string;
  kind: 'server' | 'client' | 'other';
  attributes: Record<string, string | number>;
}

/** A collector that takes OTLP over HTTP, as protobuf, and keeps it. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** All that was received, to look for what must not be in it. */
  raw = '';
  private readonly server = http.createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const sent = Buffer.concat(chunks as Buffer[]);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      if (request.url !== '/v1/traces') return response.writeHead(404).end();
      this.raw += body.toString('latin1');
      this.spans.push(...spansIn(body));
      return response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  });

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** The messages of opentelemetry/proto/trace/v1, by the numbers of their fields. */
function spansIn(request: Buffer): ReceivedSpan[] {
  return messages(request, 1).flatMap((resourceSpans) => {
    const [resource] = messages(resourceSpans, 1);
    const service = String(attributesIn(resource!, 1)['service.name']);
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => ({ service, ...spanOf(span) }));
  });
}

function spanOf(span: Buffer): Omit<ReceivedSpan, 'service'> {
  const [traceId, spanId, parentId, name] = [1, 2, 4, 5].map((field) => messages(span, field)[0]);
  const kind = fieldsOf(span).find(({ number }) => number === 6)?.value;
  return {
    traceId: traceId!.toString('hex'),
    spanId: spanId!.toString('hex'),
    parentId: parentId?.toString('hex') ?? '',
    name: name!.toString(),
    kind: kind === 2 ? 'server' : kind === 3 ? 'client' : 'other',
    attributes: attributesIn(span, 9),
  };
}

function attributesIn(message: Buffer, field: number): Record<string, string | number> {
  return Object.fromEntries(
    messages(message, field).map((pair) => {
      const [key, value] = [1, 2].map((number) => messages(pair, number)[0]);
      const [first] = fieldsOf(value ?? Buffer.alloc(0));
      return [key!.toString(), Buffer.isBuffer(first?.value) ? first.value.toString() : (first?.value ?? '')];
    }),
  );
}

function messages(message: Buffer, field: number): Buffer[] {
  return fieldsOf(message)
    .filter(({ number, value }) => number === field && Buffer.isBuffer(value))
    .map(({ value }) => value as Buffer);
}

/** Protocol Buffers on the wire: each field begins with its number and the kind of its value. */
function fieldsOf(message: Buffer): { number: number; value: number | Buffer }[] {
  const fields: { number: number; value: number | Buffer }[] = [];
  let at = 0;
  const variable = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++]!;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const bytes = (length: number) => message.subarray(at, (at += length));
  while (at < message.length) {
    const tag = variable();
    const value = [variable, () => bytes(8), () => bytes(variable()), , , () => bytes(4)][tag & 7]!();
    fields.push({ number: tag >> 3, value });
  }
  return fields;
}
